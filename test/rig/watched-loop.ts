/** A loop to look at on a screen: three tests of a cart that fail, one less after each iteration. */
import { type Rig, startArgs, until } from './rig.ts'

const check = `n=$(cat n 2>/dev/null || echo 3)
i=0; while [ $i -lt $n ]; do i=$((i + 1)); echo "not ok $i - the total of cart $i"; done
echo "1..3"; echo "# tests 3"; echo "# fail $n"; [ $n -eq 0 ]
`
const agent = [
  'n=$(cat n 2>/dev/null || echo 3)',
  'echo "I read the tests of the cart first."; echo "-> read test/cart.test.js"; echo "-> edit src/cart.js"',
  'echo "The total of an empty cart is now 0, and $((n - 1)) tests are left."',
  '[ $n -gt 1 ] || while [ ! -e "$ASIDE/go" ]; do sleep 0.05; done',
  'echo $((n - 1)) > n; echo "export const fix$n = true" >> cart.js',
].join('; ')

/** The arguments of a start that mends one test of three in each iteration, and prints what agents print. */
export function cartStart(rig: Rig): string[] {
  rig.write('check.sh', check)
  const start = startArgs(agent, 'tests=sh check.sh')
  start[1] = 'fix the failing tests of the cart'
  return start
}

/** A loop in its third iteration, whose agent waits for `go` beside the tree; its id. */
export async function thirdIteration(rig: Rig): Promise<string> {
  rig.spawn([...cartStart(rig), '--plain', '--yes'])
  return until('the third run', () => {
    const [one = ''] = rig.loops()
    const isThird =
      one !== '' && rig.events(one).some(event => event.kind === 'run.launched' && event.data.run === 3)
    return isThird && one
  })
}
