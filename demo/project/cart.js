// A small shopping cart with three mistakes in it. The tests in cart.test.js say what it should do.

/** The sum of price × quantity of all items. */
export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0)
}

/** What is left to pay after a discount in percent, never less than nothing. */
export function discounted(amount, percent) {
  return amount - percent
}

/** Shipping is free from 50, else it costs 5; an empty cart ships nothing. */
export function shipping(items) {
  return total(items) > 50 ? 0 : 5
}
