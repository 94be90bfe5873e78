/**
 * The kinds of files that can be the work itself. One table: a file of no kind here is on the side that judges, so that
 * a name nobody thought of is looked at and not believed. Which of these files are tests or settings all the same is
 * decided in core/trust/side.
 */

type ProductKind =
  | 'code'
  | 'styles'
  | 'markup'
  | 'queries'
  | 'schemas'
  | 'templates'
  | 'infrastructure'
  | 'documents'
  | 'translations'
  | 'data'
  | 'assets'

const byEnding: readonly [ProductKind, string][] = [
  [
    'code',
    `js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi pyx rb rake go rs c h cc cpp cxx hh hpp hxx m mm swift kt kts
    java scala groovy clj cljs cljc cs fs vb php pl pm lua r jl ex exs erl hrl hs ml mli dart zig nim cr d f f90 for asm
    s sh bash zsh fish ksh ps1 bat cmd awk sed tcl coffee elm purs sol move wat gd glsl vert frag wgsl hlsl cu ino
    ipynb el lisp scm rkt`,
  ],
  ['styles', 'css scss sass less styl pcss'],
  ['markup', 'html htm xhtml svg'],
  ['queries', 'sql graphql gql cypher prql'],
  ['schemas', 'proto thrift avsc xsd prisma capnp fbs rng wsdl'],
  [
    'templates',
    'ejs hbs mustache pug jade jinja jinja2 j2 tmpl tpl erb haml slim liquid njk twig mjml eex heex',
  ],
  ['infrastructure', 'tf tfvars hcl bicep nix service timer'],
  ['documents', 'md mdx markdown rst adoc txt tex bib org textile'],
  ['translations', 'po pot xlf xliff arb ftl strings resx'],
  ['data', 'json json5 jsonc jsonl ndjson yaml yml xml csv tsv toml ini properties geojson plist dat'],
  ['assets', 'png jpg jpeg gif webp avif ico bmp woff woff2 ttf otf eot mp3 ogg wav mp4 webm pdf'],
]

const byName: readonly [ProductKind, RegExp][] = [
  ['infrastructure', /^(?:Dockerfile|Containerfile|Vagrantfile|Procfile|docker-compose.*|compose\.ya?ml)/],
  [
    'documents',
    /^(?:README|LICEN[CS]E|CHANGELOG|CHANGES|NOTICE|AUTHORS|CONTRIBUTORS|CONTRIBUTING|TODO|HISTORY|NEWS|COPYING|VERSION)$/i,
  ],
]

const endings = new Map(
  byEnding.flatMap(([kind, text]) => text.split(/\s+/).map(end => [end, kind] as const)),
)
const locales = /(?:^|\/)(?:locales?|i18n|l10n|lang|langs|languages|translations?|messages)\//i

/** Null: of no kind that the work can be. */
export function productKind(path: string): ProductKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const named = byName.find(([, form]) => form.test(name))
  if (named) return named[0]
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  // A program without an ending, such as bin/loop.
  if (ending === undefined) return name.startsWith('.') ? null : 'code'
  if (name.startsWith('.') && name.lastIndexOf('.') === 0) return null
  const kind = endings.get(ending) ?? null
  return kind === 'data' && locales.test(path) ? 'translations' : kind
}
