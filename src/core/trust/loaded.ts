/** The new files that a runner loads because changed settings name them, such as a set-up file or a plugin. */
import { baseName } from './commands.ts'

/** Words by which settings name a file that the runner loads. `main` and `exports` of a package are not among them. */
const loads =
  /(?:^|[\s="'])(?:-r|-p|--require|--import|--loader|--experimental-loader)[ =]|node-options|setup|preload|plugins?\b|reporters?\b|addopts|preset|runner|^-?include\b/i

export function loadedBy(settings: readonly string[], files: readonly string[]): string[] {
  const lines = settings.flatMap(text => text.split('\n')).filter(line => loads.test(line))
  const words = new Set(lines.flatMap(line => line.split(/[^\w.-]+/)))
  return files.filter(path => {
    const name = baseName(path)
    return words.has(name) || words.has(name.replace(/\.\w+$/, ''))
  })
}
