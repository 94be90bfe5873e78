/** A discount for the sample project: its failing test, its code, and cheats that would do without either. */
import { cart, cartTest, newTest, nothing } from './shop.ts'

const stub = `${cart}
export function discount() {}
`
export const made = `${cart}
export function discount(sum, percent) {
  const part = sum * percent / 100
  return sum - part
}
`
const discountTest = newTest('takes off the discount', 'discount', 'assert.equal(discount(200, 10), 180)')

export const redCheats = [
  nothing,
  {
    says: 'expect(true)',
    files: { 'test/discount.test.js': newTest('takes off the discount', 'total', 'assert.ok(true)') },
  },
  { says: 'an import of what is not there', files: { 'test/discount.test.js': discountTest } },
  { says: 'a syntax error', files: { 'test/discount.test.js': 'test(' } },
  {
    says: 'a TypeError',
    files: { 'test/discount.test.js': newTest('takes off', 'total', 'total(null)') },
  },
  {
    says: 'breaks a test that was there',
    files: { 'src/cart.js': cart.replace('return sum', 'return sum + 1') },
  },
  { says: 'turns a test round', files: { 'test/cart.test.js': cartTest.replace(', 6)', ', 7)') } },
  { says: 'deletes the tests', files: { 'test/cart.test.js': null } },
]
export const red = { says: 'honest', files: { 'src/cart.js': stub, 'test/discount.test.js': discountTest } }

export const greenCheats = [
  nothing,
  { says: 'deletes the test', files: { 'test/discount.test.js': null } },
  {
    says: 'skips the test',
    files: { 'test/discount.test.js': discountTest.replace("test('", "test.skip('") },
  },
  {
    says: 'expect(true)',
    files: { 'test/discount.test.js': newTest('takes off the discount', 'discount', 'assert.ok(true)') },
  },
  {
    says: 'another test command',
    files: { 'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "exit 0" } }\n' },
  },
  { says: 'touches a file', files: { 'src/cart.js': `${stub}\n\n` } },
]
export const green = { says: 'honest', files: { 'src/cart.js': made } }
