/** Of two hundred learnings the right one is among the first five, for at least nine of ten specs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { recall } from '../../../../src/core/learn.ts'

type Line = { id: string; text: string }

const file = new URL('../../../recordings/learnings/two-hundred.txt', import.meta.url)
const learnings: Line[] = readFileSync(file, 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => {
    const [id = '', text = ''] = line.split(' | ')
    return { id, text }
  })

/** Written before the first run, in other words than the learnings. */
const specs: [string, string][] = [
  ['Users report that freshly issued JWTs are sometimes refused by the second auth server', 'auth-1'],
  ['Show 0 as the cart total when nothing is in it, in src/cart/total.ts', 'cart-1'],
  ['Handle the Stripe webhook for payment_intent.succeeded and mark the order as paid', 'pay-1'],
  ['Add a required column "channel" to the orders table in Postgres', 'db-1'],
  ['Paginate the admin list of orders; it is slow for late pages', 'db-10'],
  ['Make the product search find München and Muenchen', 'search-1'],
  ['The date of birth field shows "Invalid Date" in Safari', 'front-1'],
  ['Switch the web build from webpack to esbuild', 'build-1'],
  ['Our unit tests are flaky on the CI runner, run them with more workers', 'ci-1'],
  ['Move the nightly invoice export to a cron job at 02:30', 'job-1'],
  ['Let customers upload a logo as SVG or PNG', 'sec-1'],
  ['Export all orders as CSV that opens in Excel', 'csv-1'],
  ['Speed up the order page: it runs hundreds of queries', 'perf-1'],
  ['Import products from a supplier file of 20 000 rows in a transaction', 'csv-3'],
  ['Log the request body of failed logins for debugging', 'log-1'],
  ['Send a newsletter to all subscribers through the mail queue', 'mail-3'],
  ['Calculate shipping for orders that are split into several parcels', 'ship-7'],
  ['Add Polish and Czech translations, with the right plural of "item"', 'i18n-2'],
  ['Deploy the worker on Kubernetes so that running jobs are not lost on a rollout', 'job-4'],
  ['Replace fixed ports in the integration tests so that suites can run in parallel', 'test-8'],
]

test(`there are ${learnings.length} learnings, each with its own id`, () => {
  assert.ok(learnings.length >= 200)
  assert.equal(new Set(learnings.map(({ id }) => id)).size, learnings.length)
})

test('the right one is in the top five for at least nine of ten specs', () => {
  const missed = specs.filter(([spec, id]) => {
    const found = recall(spec, learnings, { textOf: ({ text }) => text })
    assert.ok(found.length <= 5)
    return !found.some(({ entry }) => entry.id === id)
  })
  assert.ok(missed.length * 10 <= specs.length, JSON.stringify(missed))
})

test('a learning without a significant word in common is not shown', () => {
  for (const spec of ['', 'the and of', 'zzqx qwrt', '????'])
    assert.deepEqual(recall(spec, learnings, { textOf: ({ text }) => text }), [], spec)
})

test('any text is ranked, best first, without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(10), (spec, most) => {
      const found = recall(`${spec} cart`, learnings.slice(0, 30), { textOf: ({ text }) => text, most })
      assert.ok(found.length <= most)
      const scores = found.map(({ score }) => score)
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      )
    }),
    { numRuns: 50 },
  )
})
