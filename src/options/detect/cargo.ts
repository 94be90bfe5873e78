/** A Rust project: Cargo.toml at the root, a package or a workspace. */
import type { FoundCommand } from '../../model/project.ts'
import type { Offers, ProjectListing } from './listing.ts'

export function cargoProject(listing: ProjectListing): Offers | null {
  if (!listing.names.has('Cargo.toml')) return null
  const isWorkspace = /^\s*\[workspace\b/m.test(listing.text('Cargo.toml'))
  const all = isWorkspace ? ' --workspace' : ''
  const because = isWorkspace ? 'Cargo.toml, a workspace' : 'Cargo.toml'
  const found = (command: string, more = ''): FoundCommand[] => [{ command, because: because + more }]
  return {
    found: {
      test: found(`cargo test${all}`),
      lint: listing.hasProgram('cargo-clippy') ? found(`cargo clippy${all} --all-targets`) : [],
      types: found(`cargo check${all} --all-targets`),
      build: found(`cargo build${all}`),
      coverage: listing.hasProgram('cargo-llvm-cov') ? coverage(all, because) : [],
    },
  }
}

/** Reports go below `target`, which is ignored and which every other command creates too. */
function coverage(all: string, because: string): FoundCommand[] {
  const report = 'target/lcov.info'
  return [
    {
      command: `cargo llvm-cov${all} --lcov --output-path ${report}`,
      because: `${because}, cargo-llvm-cov is installed`,
      reports: [report],
    },
  ]
}
