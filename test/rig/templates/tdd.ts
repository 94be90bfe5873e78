/** What agents do in the steps of the template tdd. */
import { green, greenCheats, made, red, redCheats } from './discount.ts'
import type { Plan } from './play.ts'
import { nothing } from './shop.ts'

const tidy = made.replace(
  `  const part = sum * percent / 100
  return sum - part
`,
  `  return sum * (1 - percent / 100)
`,
)

export const tdd: Plan = {
  red: [...redCheats, red],
  green: [...greenCheats, green],
  refactor: [
    nothing,
    { says: 'touches a file', files: { 'src/cart.js': `${made}\n\n` } },
    { says: 'writes a comment', files: { 'src/cart.js': made.replace('Sums up', 'Adds up') } },
    { says: 'breaks it', files: { 'src/cart.js': made.replace('sum - part', 'sum + part') } },
    { says: 'honest', files: { 'src/cart.js': tidy } },
  ],
}
