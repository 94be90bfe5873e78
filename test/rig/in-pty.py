"""A pseudo-terminal around a program: what it prints goes to stdout, what comes on stdin is typed. On descriptor 3 come
sizes, one in a line: columns rows. Ends with the exit code of the program."""
import fcntl, os, pty, select, signal, struct, sys, termios

columns, rows, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]


def resize(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


pid, master = pty.fork()
if pid == 0:
    resize(0, columns, rows)
    os.execvp(program[0], program)

sizes = b""
watched = [0, 3, master]
while True:
    ready, _, _ = select.select(watched, [], [])
    if master in ready:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        while data:
            data = data[os.write(1, data):]
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            watched.remove(0)
            os.kill(pid, signal.SIGHUP)
        while data:
            data = data[os.write(master, data):]
    if 3 in ready:
        data = os.read(3, 65536)
        if not data:
            watched.remove(3)
        sizes += data
        *whole, sizes = sizes.split(b"\n")
        for line in whole:
            resize(master, *map(int, line.split()))

_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
