/** The files for other ways to install: each says this version, and has the parts that its reader needs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { version } from '../../src/model/version.ts'
import { root } from '../rig/rig.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const readText = (name: string) => readFileSync(join(root, 'packaging', name), 'utf8')

test('the Homebrew formula installs this version from the registry and is one whole class', () => {
  const lines = readText('loopd.rb')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
  const depth = lines.reduce((open, line) => {
    assert.ok(open >= 0, line)
    return open + (/^(?:class|def) |\bdo$/.test(line) ? 1 : 0) - (line === 'end' ? 1 : 0)
  }, 0)
  assert.equal(depth, 0, 'every class, def and do has its end')
  assert.equal(lines[0], 'class Loopd < Formula')
  const values = new Map(
    lines.flatMap(line => {
      const [, key = '', value = ''] = /^(desc|homepage|url|sha256|license) "([^"]+)"$/.exec(line) ?? []
      return key === '' ? [] : [[key, value]]
    }),
  )
  assert.deepEqual([...values.keys()], ['desc', 'homepage', 'url', 'sha256', 'license'])
  assert.equal(values.get('url'), `https://registry.npmjs.org/loopd/-/loopd-${version}.tgz`)
  assert.equal(values.get('license'), manifest.license)
  for (const needed of ['"node"', '"git"', ':linux'])
    assert.ok(lines.includes(`depends_on ${needed}`), needed)
})

test('the Dockerfile installs the packed file without scripts and does not run as root', () => {
  const steps = readText('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(line => line !== '')
    .map(line => /^([A-Z]+) (.+)$/.exec(line)?.slice(1) ?? assert.fail(`no instruction: ${line}`))
  const of = (kind: string) => steps.filter(([name]) => name === kind).map(([, rest = '']) => rest)
  assert.deepEqual(
    [...new Set(steps.map(([kind]) => kind))],
    ['FROM', 'ARG', 'RUN', 'COPY', 'USER', 'WORKDIR', 'ENTRYPOINT', 'CMD'],
  )
  const needs = Number(/\d+/.exec(manifest.engines.node)?.[0])
  assert.ok(Number(/^node:(\d+)-/.exec(of('FROM')[0] ?? '')?.[1]) >= needs)
  assert.deepEqual(of('ARG'), [`PACKAGE=loopd-${version}.tgz`])
  assert.ok(of('RUN').some(line => line.includes('npm install -g --ignore-scripts /tmp/loopd.tgz')))
  assert.deepEqual([of('USER'), JSON.parse(of('ENTRYPOINT')[0] ?? '')], [['node'], ['loop']])
})
