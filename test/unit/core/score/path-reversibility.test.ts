/** The difficulty of reversing a change of a file, by its path; and the file that decides among many. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathReversibility, raisedBy } from '../../../../src/core/reversibility.ts'
import type { Reversibility } from '../../../../src/model/loop/assessment.ts'

const paths: Record<Reversibility, string[]> = {
  '1': [
    'db/migrations/20260101_users.rb',
    'app/migrate/2.py',
    'alembic/versions/ab12_add.py',
    'prisma/schema.prisma',
    'db/schema.rb',
    'db/001_users.sql',
    'db/V2__roles.SQL',
    'proto/user.proto',
    'api/openapi.yaml',
    'docs/openapi-v2.json',
    'src/schema.graphql',
    'events/user.avsc',
  ],
  '2B': [
    'src/cart.ts',
    'main.go',
    'package.json',
    'package-lock.json',
    'Cargo.lock',
    'go.mod',
    'pyproject.toml',
    'requirements-dev.txt',
    'Makefile',
    // A test contains nobody's data.
    'test/migrations/1.sql',
    'src/schema.test.ts',
    'tests/fixtures/openapi.yaml',
    // Names that only resemble a migration.
    'src/migration-guide.ts',
    'src/sql.ts',
    'queries/report.sql',
    'query.SQL',
  ],
  '2A': [
    'README.md',
    'docs/guide.rst',
    'LICENSE',
    '.editorconfig',
    '.github/workflows/ci.yml',
    'config/app.toml',
    'tsconfig.json',
    'settings.ini',
  ],
}

for (const [type, files] of Object.entries(paths)) {
  test(`files of type ${type}`, () => {
    for (const path of files) assert.equal(pathReversibility(path), type, path)
  })
}

test('the first of the hardest files is named, and only where it is harder than what is known', () => {
  const changed = ['README.md', 'src/a.ts', 'db/migrations/1.sql', 'db/migrations/2.sql', 'src/b.ts']
  assert.deepEqual(raisedBy(changed, '2A'), { reversibility: '1', path: 'db/migrations/1.sql' })
  assert.deepEqual(raisedBy(changed, '2B'), { reversibility: '1', path: 'db/migrations/1.sql' })
  assert.equal(raisedBy(changed, '1'), null)
  assert.deepEqual(raisedBy(changed.slice(0, 2), '2A'), { reversibility: '2B', path: 'src/a.ts' })
  assert.equal(raisedBy(changed.slice(0, 2), '2B'), null)
  assert.equal(raisedBy([], '2A'), null)
})
