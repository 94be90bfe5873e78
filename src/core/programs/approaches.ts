/**
 * A named approach for each attempt: attempts with the same prompt find the same solution, and choosing among them
 * gains nothing. Each approach is one sentence after the prompt, and a name for people.
 */
export const approaches: readonly { name: string; words: string }[] = [
  { name: 'direct', words: 'Approach: take the most direct way to what is asked for.' },
  {
    name: 'tests-first',
    words: 'Approach: first write tests that say what is asked for and see them fail; then make them pass.',
  },
  {
    name: 'root-cause',
    words:
      'Approach: find out why it is as it is before changing anything; mend the cause, not what it shows.',
  },
  { name: 'smallest', words: 'Approach: make the smallest change that does all that is asked for.' },
  {
    name: 'simplify',
    words: 'Approach: where code stands in the way, simplify it first; then do what is asked for.',
  },
  {
    name: 'existing',
    words:
      'Approach: look for what the project has already (functions, patterns, libraries) and build on it.',
  },
  {
    name: 'edge-cases',
    words:
      'Approach: list the cases at the edges first (empty, huge, wrong, twice, at once) and serve them all.',
  },
  {
    name: 'redesign',
    words:
      'Approach: think of the design that you would want to have in a year, and do what is asked for that way.',
  },
]
