/** Tests inside of sources: the rest of one version of a file with the tests of another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedParts, hasOwnTests, withTestsOf } from '../../../../src/core/trust/own-tests.ts'

const rust = (body: string, sum: number) => `pub fn sum(a: i32, b: i32) -> i32 { ${body} }

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds() { assert_eq!(sum(2, 3), ${sum}, "}"); }
}

pub fn twice(a: i32) -> i32 { a + a }
`
const python = (body: string, sum: number) => `def total(p):
    """Adds.

    >>> total([2, 3])
    ${sum}
    """
    return ${body}


if __name__ == "__main__":
    assert total([1]) == 1
`
const script = (body: string, sum: number) => `exports.sum = (a, b) => ${body}

if (require.main === module) {
  require('node:assert').equal(exports.sum(2, 3), ${sum})
}
`

const rows: [path: string, make: (body: string, sum: number) => string][] = [
  ['sum.rs', rust],
  ['cart.py', python],
  ['sum.js', script],
]

for (const [path, make] of rows) {
  test(`${path}: the old tests take the place of the new ones`, () => {
    assert.equal(withTestsOf(path, { rest: make('new', 1), tests: make('old', 5) }), make('new', 5))
  })
  test(`${path}: what has changed is told apart`, () => {
    assert.deepEqual(changedParts(path, make('old', 5), make('new', 5)), { rest: true, tests: false })
    assert.deepEqual(changedParts(path, make('old', 5), make('old', 1)), { rest: false, tests: true })
  })
}

test('a block that was taken away is put at the end', () => {
  const rest = 'pub fn sum(a: i32, b: i32) -> i32 { a }\n'
  const kept = withTestsOf('sum.rs', { rest, tests: rust('old', 5) })
  assert.ok(kept.startsWith(rest) && kept.includes('assert_eq!(sum(2, 3), 5'), kept)
})

test('examples without their docstring get a function that doctest finds', () => {
  const kept = withTestsOf('cart.py', { rest: 'def total(p):\n    return 1\n', tests: python('old', 5) })
  assert.match(kept, /def _examples\(\):\n {4}"""\n {4}>>> total\(\[2, 3\]\)\n {4}5\n {4}"""/)
})

test('a program that only runs at its end holds no tests', () => {
  assert.equal(
    hasOwnTests('app.py', 'def f():\n    return 1\n\nif __name__ == "__main__":\n    print(f())\n'),
    false,
  )
  assert.equal(
    hasOwnTests('app.js', "exports.a = 1\nif (require.main === module) {\n  console.log('a')\n}\n"),
    false,
  )
})
