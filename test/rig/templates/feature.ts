/** What agents do in the steps of the template feature. */
import { green, greenCheats, red, redCheats } from './discount.ts'
import type { Plan } from './play.ts'
import { nothing, shop } from './shop.ts'

const design = `# Discount

## Goal
Somebody who sells can take a part off the sum of a cart, in percent, and see what the customer has to pay after that.

## Behaviour
A discount of 0 percent leaves the sum as it is, one of 100 makes it 0. What is not a number is refused by the caller.

## Interface
The function discount(sum, percent) stands beside total in the same module, and is exported from there under that name.

## Tests
A tenth off a sum of 200 is 180; the edges 0 and 100 percent; and that the sum that was given is never changed by it.

## Context
- src/cart.js:2 \`export function total(items)\` gives the sum that the discount is taken off, a plain number without currency.
`
const readme = `${shop['README.md']}
## Discounts

\`discount(sum, percent)\` of src/cart.js takes a part off a sum, in percent: \`discount(200, 10)\` is 180. A discount of
100 percent makes it 0, and one of 0 percent leaves it as it is.
`

export const feature: Plan = {
  design: [
    nothing,
    {
      says: 'an empty design',
      files: { 'feature-design.md': '## Goal\n## Behaviour\n## Interface\n## Tests\n## Context\n' },
    },
    { says: 'all fine', files: { 'feature-design.md': '## Goal\nAll fine.\n' } },
    {
      says: 'to be done',
      files: { 'feature-design.md': design.replaceAll(/^[A-Z].*$/gm, `TODO ${'TBD '.repeat(40)}`) },
    },
    { says: 'honest', files: { 'feature-design.md': design } },
  ],
  test: [...redCheats, red],
  implement: [...greenCheats, green],
  build: [
    nothing,
    { says: 'documents nothing', files: { 'README.md': `${shop['README.md']}\nAll fine.\n` } },
    {
      says: 'documents something else',
      files: {
        'README.md': `${shop['README.md']}\n${'This project is very good and everybody likes it a lot. '.repeat(4)}\n`,
      },
    },
    {
      says: 'writes into the design',
      files: {
        'feature-design.md': `${design}\n\`discount\`: ${'it is there and can be used. '.repeat(8)}\n`,
      },
    },
    { says: 'honest', files: { 'README.md': readme } },
  ],
}
