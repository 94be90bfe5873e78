/**
 * A named approach for each attempt: attempts with the same prompt find the same solution, and choosing among them
 * gains nothing. Each approach is one sentence after the prompt, and a name for people.
 */
export const approaches: readonly { name: string; words: string }[] = [
  { name: 'direct', words: 'Approach: take the most direct way to the goal.' },
  {
    name: 'tests-first',
    words: 'Approach: first write tests that express the goal and see them fail; then make them pass.',
  },
  {
    name: 'root-cause',
    words:
      'Approach: find out why the code is as it is before changing anything; fix the cause, not the symptom.',
  },
  { name: 'smallest', words: 'Approach: make the smallest change that does everything the task asks for.' },
  {
    name: 'simplify',
    words: 'Approach: simplify the code that is in the way first; then do the task.',
  },
  {
    name: 'existing',
    words:
      'Approach: look for what the project has already (functions, patterns, libraries) and build on it.',
  },
  {
    name: 'edge-cases',
    words:
      'Approach: list the edge cases first (empty, huge, wrong, twice, at the same time) and handle them all.',
  },
  {
    name: 'redesign',
    words: 'Approach: think of the design that you would want in a year, and do the task that way.',
  },
]
