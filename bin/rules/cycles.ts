/**
 * Checks that the files of a workspace do not import each other in a cycle, not even for types. Npm and the manifests
 * prevent cycles between workspaces.
 */
import { posix } from 'node:path'
import { type Problem, type SourceFile, sources } from './files.js'
import { importsOf } from './import-lines.js'

/** Paths of the source files that a file imports by a relative path. */
const importedFiles = (file: SourceFile, known: ReadonlyMap<string, unknown>): string[] =>
  importsOf(file.text)
    .filter((target) => target.startsWith('.'))
    .map((target) => posix.join(posix.dirname(file.path), target).replace(/\.js$/, '.ts'))
    .filter((path) => known.has(path))

/** Problems of import cycles: one problem for each import that closes a cycle. */
export const cycleProblems = (files: readonly SourceFile[]): Problem[] => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const edges = new Map(files.map((file) => [file.path, importedFiles(file, byPath)]))
  const done = new Set<string>()
  const problems: Problem[] = []
  /** Paths of the current chain of imports, from the first file to the current one. */
  const trail = new Set<string>()
  const visit = (path: string): void => {
    trail.add(path)
    for (const next of edges.get(path) ?? []) {
      if (trail.has(next)) {
        const cycle = [...trail].slice([...trail].indexOf(next))
        problems.push(`${path} closes a cycle of imports: ${[...cycle, next].join(' → ')}`)
      } else if (!done.has(next)) visit(next)
    }
    trail.delete(path)
    done.add(path)
  }
  for (const path of edges.keys()) if (!done.has(path)) visit(path)
  return problems
}

export const cycleRules = (): Problem[] =>
  cycleProblems(
    sources('packages/*.ts', 'services/*.ts', 'e2e/*.ts', 'bench/*.ts', 'bin/*.ts', 'helm/*.ts', 'k8s/*.ts'),
  )
