import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discounted, shipping, total } from './cart.js'

const apple = { price: 2, quantity: 3 }
const lamp = { price: 44, quantity: 1 }

test('the total counts quantities', () => assert.equal(total([apple, lamp]), 50))
test('an empty cart costs nothing', () => assert.equal(total([]), 0))
test('a discount is a percentage', () => assert.equal(discounted(80, 25), 60))
test('a discount of more than everything costs nothing', () => assert.equal(discounted(80, 120), 0))
test('shipping is free from 50', () => assert.equal(shipping([apple, lamp]), 0))
test('an empty cart ships nothing', () => assert.equal(shipping([]), 0))
