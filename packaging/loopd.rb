# Homebrew formula, for Linux. The release fills in the checksum:
#   sed "s/@SHA256@/$(sha256sum loopd-0.1.0.tgz | cut -d' ' -f1)/" packaging/loopd.rb
class Loopd < Formula
  desc "Runs a coding agent again and again until a command passes"
  homepage "https://www.npmjs.com/package/loopd"
  url "https://registry.npmjs.org/loopd/-/loopd-0.1.0.tgz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on :linux
  depends_on "bubblewrap"
  depends_on "git"
  depends_on "node"
  depends_on "util-linux"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("lib/node_modules/loopd/dist/man/*.1")
    generate_completions_from_executable(bin/"loop", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/loop --version")
    system bin/"loop", "demo", "--plain"
  end
end
