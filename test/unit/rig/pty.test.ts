/** The terminal of the tests: a program that waits for input fails the test, and the failure shows the screen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { without } from '../../rig/needs.ts'
import { ptyOf } from '../../rig/pty.ts'
import { makeRig, until } from '../../rig/rig.ts'

test('a question that nobody expected fails the test with the screen, in time', {
  skip: without('python3'),
}, async t => {
  const rig = makeRig(t)
  const ask = 'printf "Go on all the same? [y/N] "; read answer; exit 3'
  const screen = ptyOf(t, { rig, program: ['sh'], limitMs: 200 }, ['-c', ask])
  await until('the question', () => screen.text().includes('[y/N]'))
  const shown =
    /^Waited 200 ms in vain for (its end|another text)\. The terminal of sh -c .* shows:\nGo on all the same\? \[y\/N\]$/
  await assert.rejects(screen.ended, { message: shown })
  await assert.rejects(screen.shows('another text'), { message: shown })
  screen.type('n\r')
  await until('its end', () =>
    screen.ended.then(
      code => code === 3,
      () => false,
    ),
  )
})
