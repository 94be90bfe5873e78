/**
 * Puts code that most programs share into a few files of its own (layers), so that the package does not carry it once
 * for each of them. A layer is found, not listed: it holds every module that nearly all programs with its marker
 * carry. Programs that lack much of a layer keep a copy of the little that they use, and so do those without the
 * marker: the ones that must start fast. What state a module has is never shared by two files (docs/decisions/0007).
 */
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import * as zod from 'zod'

/** Lowest first: a layer may use those before it. Two are packages, the third is what all that drive a loop share. */
const markers = {
  zod: 'node_modules/zod/v4/core/schemas.js',
  yaml: 'node_modules/yaml/browser/dist/doc/Document.js',
  engine: 'src/engine/drive.ts',
}
/** Which part of the programs with the marker must carry a module; how much of a layer a program may not need. */
const enough = 0.85
const tolerable = 0.25

type LayerName = keyof typeof markers
type Program = { entry: string; bytes: ReadonlyMap<string, number> }

export type Layer = {
  name: LayerName
  /** Modules by their paths. */
  members: Set<string>
  /** Programs by their entry points. */
  users: ReadonlySet<string>
  /** The names that users import from its modules and packages. */
  asked: ReadonlyMap<string, ReadonlySet<string>>
}

/** Finds the layers of these programs: `carried` says what each of them holds without layers. */
export function layersOf(carried: Metafile): Layer[] {
  const programs = Object.values(carried.outputs).map(({ entryPoint = '', inputs }) => {
    const held = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    return { entry: entryPoint, bytes: new Map(held.map(([path, of]) => [path, of.bytesInOutput])) }
  })
  return (Object.keys(markers) as LayerName[]).map(name => {
    const marked = programs.filter(({ bytes }) => bytes.has(markers[name]))
    const sizes = new Map(marked.flatMap(({ bytes }) => [...bytes]))
    const isCommon = (path: string) =>
      marked.filter(({ bytes }) => bytes.has(path)).length >= enough * marked.length
    const room = name === 'engine' ? 'src/' : `node_modules/${name}/`
    const members = new Set([...sizes.keys()].filter(path => path.startsWith(room) && isCommon(path)))
    const sum = (paths: string[]) => paths.reduce((total, path) => total + (sizes.get(path) ?? 0), 0)
    const users = marked.filter(
      ({ bytes }) => sum([...members].filter(path => !bytes.has(path))) <= tolerable * sum([...members]),
    )
    const outside = [...reached(users, carried)].filter(path => !members.has(path))
    return { name, members, users: new Set(users.map(({ entry }) => entry)), asked: askedBy(outside) }
  })
}

/** All modules behind these programs, also those of which nothing is left in them. */
function reached(programs: Program[], { inputs }: Metafile): Set<string> {
  const found = new Set(programs.map(({ entry }) => entry))
  for (const path of found)
    for (const { path: to, kind } of inputs[path]?.imports ?? [])
      if (kind === 'import-statement') found.add(to)
  return found
}

/** The names that these sources import, by module or package. */
function askedBy(sources: Iterable<string>): Map<string, Set<string>> {
  const all = Array.from(sources).flatMap(source => {
    if (!source.startsWith('src/')) return []
    const text = readFileSync(source, 'utf8')
    const schemas = /^import \* as z from 'zod'/m.test(text) ? text.matchAll(/\bz\.(\w+)/g) : []
    return [
      ...Array.from(text.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm), ([, names = '', from = '']) => ({
        from: from.startsWith('.') ? join(source, '..', from) : from,
        names: names.split(',').map(one => one.trim().replace(/ as .*/, '')),
      })),
      { from: 'zod', names: Array.from(schemas, ([, name = '']) => name).filter(isFunction) },
    ]
  })
  const areValues = (name: string) => name !== '' && !name.startsWith('type ')
  const byFrom = Array.from(
    Map.groupBy(all, ({ from }) => from),
    ([from, asked]) => [from, new Set(asked.flatMap(({ names }) => names.filter(areValues)))] as const,
  )
  return new Map(byFrom)
}

/** Types have no value there, and a name like `core` would bring the whole package. */
function isFunction(name: string): boolean {
  return typeof Object.getOwnPropertyDescriptor(zod, name)?.value === 'function'
}

/** Builds each layer into a file of its name. */
export async function buildLayers(layers: readonly Layer[], options: BuildOptions): Promise<void> {
  for (const [at, layer] of layers.entries()) {
    const below = layers.slice(0, at)
    const inputs = await buildLayer(layer, { below, options })
    // What only a member needs is a member too: its users would else have it twice, with two states.
    const more = inputs.filter(path => path.startsWith('src/') && !layer.members.has(path))
    for (const path of more) layer.members.add(path)
    if (more.length > 0) await buildLayer(layer, { below, options })
  }
}

async function buildLayer(
  layer: Layer,
  { below, options }: { below: readonly Layer[]; options: BuildOptions },
): Promise<string[]> {
  const exported = [...layer.asked].filter(([from]) => layer.name === from || layer.members.has(from))
  const lines = exported.map(([from, names]) => {
    const list = [...names].map(name => `${name} as ${exportName(from, name)}`).join(', ')
    return `import { ${list} } from '${from in markers ? from : `./${from}`}'`
  })
  const all = exported.flatMap(([from, names]) => [...names].map(name => exportName(from, name)))
  const { metafile } = await build({
    ...options,
    metafile: true,
    stdin: {
      contents: [...lines, `export default { ${all.join(', ')} }`].join('\n'),
      resolveDir: process.cwd(),
      sourcefile: `${layer.name}-layer.ts`,
    },
    entryNames: layer.name,
    plugins: [...(options.plugins ?? []), fromLayers(below)],
  })
  return Object.keys(metafile.inputs).filter(path => !path.includes(':') && path !== `${layer.name}-layer.ts`)
}

/** The name of an export in a layer, where the modules of all rooms meet. */
function exportName(from: string, name: string): string {
  return `${name}_${from.replace(/^src\/|\.ts$/g, '').replaceAll(/\W/g, '_')}`
}

/** Takes the modules of these layers from their files. */
export function fromLayers(layers: readonly Layer[]): Plugin {
  const layerOf = (from: string) => layers.find(({ name, members }) => name === from || members.has(from))
  return {
    name: 'what is in a layer comes from there',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.|^(?:zod|yaml)$/ }, ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'import-statement' || importer.includes('node_modules')) return null
        const from = path.startsWith('.') ? relative(process.cwd(), resolve(resolveDir, path)) : path
        return layerOf(from) ? { path: from, namespace: 'layer', sideEffects: false } : null
      })
      onResolve({ filter: /^layer:/ }, ({ path }) => ({ path, namespace: 'layer-file', sideEffects: false }))
      onLoad({ filter: /.*/, namespace: 'layer-file' }, ({ path }) => ({
        contents: `export const layer = require('./${path.slice('layer:'.length)}.cjs')`,
      }))
      onResolve({ filter: /^\.\/\w+\.cjs$/, namespace: 'layer-file' }, ({ path }) => ({
        path,
        external: true,
      }))
      onLoad({ filter: /.*/, namespace: 'layer' }, ({ path }) => {
        const layer = layerOf(path)
        const names = [...(layer?.asked.get(path) ?? [])]
        return {
          contents: [
            `import { layer } from 'layer:${layer?.name}'`,
            ...names.map((name, at) => `const e${at} = layer.${exportName(path, name)}`),
            `export { ${names.map((name, at) => `e${at} as ${name}`).join(', ')} }`,
          ].join('\n'),
        }
      })
    },
  }
}
