/** The text of `.loop/README.md`: the content of `.loop`, and the formats of learnings, maxims and decisions. */

export const loopReadme = `# .loop

What loop keeps in this work tree. loop writes nothing into learnings, maxims or decisions without your consent.

| what | where | form |
|---|---|---|
| learnings | \`learnings/<year-month>.jsonl\` | one JSON object a line: \`{"id": "l-a1b2c3", "at": "2026-11-17T10:00:00Z", "kind": "failure" or "discovery", "text": "what to know next time", "before": "what was assumed", "found": "what was so", "adjustment": "what was done instead", "loop": "a1b2c3" or null}\`; before, found and adjustment may be left out |
| maxims | \`maxims/custom.md\`, \`maxims/*.md\` | one rule a line: \`- Prefer deleting code to configuring it\`; loaded before tasks are made |
| decisions | \`decisions/<date>-<name>.md\` | a title, a line \`Date: 2026-11-17. Status: accepted.\`, then why |
| runs | \`runs/<date>-<name>/\` | \`_meta.md\`, \`_context.md\`, and the documents of a plan; never overwritten |

\`loop learn\` shows the learnings, how often each was shown and whether that helped; \`loop recall "<text>"\` finds those
that fit a text. Learnings and maxims that came with a repository are used only after \`loop learn --trust\`.
`
