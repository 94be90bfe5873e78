/** A Go module: go.mod at the root. The compiler checks the types in builds and tests. */
import { firstOf, type Offers, type ProjectListing } from './listing.ts'

const golangciFiles = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json']

export function goModule(listing: ProjectListing): Offers | null {
  if (!listing.names.has('go.mod')) return null
  const because = 'go.mod'
  const config = firstOf(listing, golangciFiles)
  const golangci =
    config !== null && listing.hasProgram('golangci-lint')
      ? [{ command: 'golangci-lint run', because: `${config}, golangci-lint is installed` }]
      : []
  const profile = 'coverage.out'
  return {
    found: {
      test: [{ command: 'go test ./...', because }],
      lint: [...golangci, { command: 'go vet ./...', because }],
      build: [{ command: 'go build ./...', because }],
      coverage: [
        { command: `go test -coverpkg=./... -coverprofile=${profile} ./...`, because, reports: [profile] },
      ],
    },
  }
}
