/**
 * A small stand-in for Jest under `node --test`: what '@jest/globals' exports, with every test enabled, and relative
 * imports without an extension. It has only the matchers that the exercises use.
 */
import assert from 'node:assert'
import { registerHooks } from 'node:module'
import * as runner from 'node:test'
import { inspect, isDeepStrictEqual } from 'node:util'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: import.meta.url, shortCircuit: true }
    const bare = /^\.\.?\//.test(specifier) && !/\.\w+$/.test(specifier)
    return next(bare ? `${specifier}.js` : specifier, context)
  },
})

const all = run => Object.assign((name, body) => run(name, body), { skip: run, each: undefined })
/** Jest ignores what a body returns, unless it is a promise; Node's runner passes a context that Jest does not. */
const bodyOf = body => (body.length > 0 ? (_, done) => body(done) : () => body())

export const test = all((name, body) => runner.test(name, bodyOf(body)))
export const xtest = test
export const it = test
export const xit = test
export const describe = all((name, body) => runner.describe(name, () => void body()))
export const xdescribe = describe
export const { beforeEach, afterEach } = runner
export const beforeAll = runner.before
export const afterAll = runner.after

const matching = matches => ({ asymmetricMatch: matches })

function equal(a, b) {
  if (typeof b?.asymmetricMatch === 'function') return b.asymmetricMatch(a)
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a)) return a.length === b.length && a.every((value, index) => equal(value, b[index]))
  if (a instanceof Error && b instanceof Error) return a.message === b.message
  const whole = [Date, RegExp, Map, Set].some(type => a instanceof type || b instanceof type)
  if (whole || ArrayBuffer.isView(a)) return isDeepStrictEqual(a, b)
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every(key => equal(a[key], b[key]))
}

const matchers = {
  toBe: (a, b) => Object.is(a, b),
  toEqual: equal,
  toStrictEqual: (a, b) => equal(a, b) && a?.constructor === b?.constructor,
  toBeCloseTo: (a, b, digits = 2) => a === b || Math.abs(a - b) < 10 ** -digits / 2,
  toBeLessThan: (a, b) => a < b,
  toBeLessThanOrEqual: (a, b) => a <= b,
  toBeGreaterThan: (a, b) => a > b,
  toBeGreaterThanOrEqual: (a, b) => a >= b,
  toBeInstanceOf: (a, type) => a instanceof type,
  toBeNull: a => a === null,
  toBeDefined: a => a !== undefined,
  toBeUndefined: a => a === undefined,
  toBeTruthy: Boolean,
  toBeFalsy: a => !a,
  toMatch: (a, pattern) => (typeof pattern === 'string' ? a.includes(pattern) : pattern.test(a)),
  toContain: (a, b) => a.includes(b),
  toHaveLength: (a, length) => a.length === length,
  toThrow: throws,
}

function throws(run, wanted) {
  let error = run
  if (typeof run === 'function') {
    try {
      run()
      return false
    } catch (caught) {
      error = caught
    }
  }
  const message = error?.message ?? String(error)
  if (wanted === undefined) return true
  if (typeof wanted === 'string') return message.includes(wanted)
  if (wanted instanceof RegExp) return wanted.test(message)
  if (typeof wanted === 'function') return error instanceof wanted
  return typeof wanted.asymmetricMatch === 'function'
    ? wanted.asymmetricMatch(error)
    : message === wanted.message
}

const checksOf = (value, not) =>
  Object.fromEntries(
    Object.entries(matchers).map(([name, holds]) => [
      name,
      (...args) =>
        assert.ok(
          holds(value, ...args) !== not,
          `${inspect(value)} ${not ? 'not ' : ''}${name} ${inspect(args)}`,
        ),
    ]),
  )

const later = settle =>
  Object.fromEntries(
    Object.keys(matchers).map(name => [
      name,
      async (...args) => checksOf(await settle(), false)[name](...args),
    ]),
  )

function refusal(value) {
  return Promise.resolve(typeof value === 'function' ? value() : value).then(
    () => assert.fail('The promise was not rejected'),
    error => error,
  )
}

export const expect = value => ({
  ...checksOf(value, false),
  not: checksOf(value, true),
  resolves: later(() => value),
  rejects: later(() => refusal(value)),
})
expect.objectContaining = part =>
  matching(value => Object.entries(part).every(([key, wanted]) => equal(value?.[key], wanted)))
expect.stringMatching = pattern => matching(value => matchers.toMatch(value, pattern))
