/** Scenes for the documents about the machine: the plugin, the page, the service of loopd, the demo. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { putPrograms } from '../../agents/stand-in.ts'
import { makeDaemonRig } from '../daemon.ts'
import { freePort } from '../port.ts'
import { makeRig } from '../rig.ts'
import { fitting } from './fitting.ts'

export async function plugins(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  putPrograms(rig, { claude: 'echo "[]"' })
  await fits('plugin', ['plugin', 'install', 'claude'])
  await fits('plugin', ['plugin', 'uninstall', 'claude', '--project'])
  const there: unknown = await fits('plugin', ['plugin', 'install', 'opencode'])
  const gone: unknown = await fits('plugin', ['plugin', 'uninstall', 'opencode'])
  const again: unknown = await fits('plugin', ['plugin', 'uninstall', 'opencode'])
  const installed = [there, gone, again].map(one => (one as { installed: boolean }).installed)
  assert.deepEqual(installed, [true, false, false])
  await fits('error', ['plugin', 'install', 'vim'])
}

export async function services(t: TestContext): Promise<void> {
  const rig = makeDaemonRig(t)
  const fits = fitting(rig)
  const installed = async (action: string) => {
    const document: unknown = await fits('service', ['loopd', 'service', action])
    return document as { installed: boolean; enabled?: boolean; byHand?: string | null; text?: string }
  }
  putPrograms(rig, { systemctl: 'test -e "$ASIDE/manager"' })
  assert.match((await installed('print')).text ?? '', /ExecStart=/)
  const { enabled, byHand } = await installed('install')
  assert.deepEqual([enabled, /systemctl/.test(byHand ?? '')], [false, true])
  writeFileSync(join(rig.aside, 'manager'), '')
  assert.equal((await installed('install')).byHand, null)
  assert.deepEqual(
    [(await installed('print')).installed, (await installed('uninstall')).installed],
    [true, false],
  )
  await fits('error', ['loopd', 'service', 'uninstall'])
}

export async function page(t: TestContext): Promise<void> {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'web_ui_port', String(await freePort())])
  await rig.startDaemon()
  const invited: unknown = await fitting(rig)('page', ['ui'])
  assert.match((invited as { url: string }).url, /^http:\/\/127\.0\.0\.1:/)
}

export async function demo(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  rig.env['TMPDIR'] = rig.aside
  await fitting(rig)('loop', ['demo'])
}
