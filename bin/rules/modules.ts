/** Checks modules, which are folders named by a noun: which files they may import, and what each kind of file may contain. */
import { posix } from 'node:path'
import { type Problem, type SourceFile, sources } from './files.js'
import { importsOf, isPure, typeOnly } from './import-lines.js'

/** Folders of the gateway that are not modules. They group code by the steps of a request, or by topic. */
const GROUPED = new Set(['edge', 'pages'])
/** Kinds of files in modules. The last part of the name is the kind: `store.ts`, `home.store.ts`. */
const KINDS = ['operation', 'reaction', 'job', 'tick', 'rules', 'view', 'store', 'client', 'index'] as const
type Kind = (typeof KINDS)[number]
const ENTRY = new Set<Kind>(['operation', 'reaction', 'job', 'tick'])
const PURE = new Set<Kind>(['rules', 'view'])
const MAX_NAMES = 12

export interface ModuleFile {
  service: string
  noun: string
  /** Kind of a file. Null for a file without a kind, which only files of its own module may import. */
  kind: Kind | null
}

/** Module and kind of a file; null if the file is in no module. */
export const moduleOf = (path: string): ModuleFile | null => {
  const [, service, noun, name] = /^services\/([^/]+)\/src\/([^/]+)\/(?:[^/]+\/)*([^/]+)\.[jt]s$/.exec(path) ?? []
  if (service === undefined || noun === undefined || name === undefined || GROUPED.has(noun)) return null
  const last = name.split('.').at(-1) ?? ''
  return { service, noun, kind: KINDS.find((kind) => last === kind || last === `${kind}s`) ?? null }
}

/** Whether a file of a module exports handlers. */
export const isEntryPoint = (path: string): boolean => ENTRY.has(moduleOf(path)?.kind as Kind) && !isTest(path)
const isTest = (path: string): boolean => path.endsWith('.test.ts')

const reached = (file: SourceFile, target: string): string =>
  target.startsWith('.') ? posix.join(posix.dirname(file.path), target) : ''

const checkImport = (file: SourceFile, from: ModuleFile | null, target: string): Problem[] => {
  const path = reached(file, target)
  const to = moduleOf(path)
  const problems: Problem[] = []
  const sameModule = from !== null && to?.noun === from.noun
  // entry-points.ts and context.ts may import files of modules other than index.ts. context.ts creates dependencies of
  // modules. Through index.ts, it would import modules that import its own type.
  const composes = /\/(entry-points|context)\.ts$/.test(file.path)
  if (to && !sameModule && to.noun !== 'core' && to.kind !== 'index' && !composes)
    problems.push(`${file.path} imports ${target}: modules meet through index.ts`)
  if (to && ENTRY.has(to.kind as Kind) && !file.path.endsWith('/entry-points.ts'))
    problems.push(`${file.path} imports the entry point ${target}: only entry-points.ts does`)
  if (from?.noun === 'core' && to && to.noun !== 'core')
    problems.push(`${file.path} imports the module ${to.noun}: core imports no module`)
  const pure = isPure(target) || PURE.has(to?.kind as Kind) || typeOnly(file.text, target)
  if (from && PURE.has(from.kind as Kind) && !pure)
    problems.push(`${file.path} imports ${target}: rules and views do no IO and read no clock`)
  return problems
}

/** Number of names that an index file exports. */
const namesOf = (text: string): number =>
  [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap((match) => (match[1] ?? '').split(','))
    .filter((name) => name.trim()).length

const checkIndex = (file: SourceFile): Problem[] => [
  ...(/export \*/.test(file.text) ? [`${file.path} exports everything: name what others may import`] : []),
  ...(namesOf(file.text) > MAX_NAMES ? [`${file.path} has more than ${MAX_NAMES} names: others know too much`] : []),
]

/** Topic of a file among the pages of the gateway, or `core`; null for other files. */
const pageTopic = (path: string): string | null =>
  /^services\/gateway\/src\/pages\/([^/]+)\/.+\.[jt]s$/.exec(path)?.[1] ?? null

/** Problem of a shared file of the gateway's pages that imports a file of a topic. Shared files must not depend on topics. */
const checkPage = (file: SourceFile, target: string): Problem[] => {
  const to = pageTopic(reached(file, target))
  return pageTopic(file.path) !== 'core' || to === null || to === 'core'
    ? []
    : [`${file.path} imports ${target}: pages/core imports no topic of pages`]
}

/**
 * Name of the module of a file in the graph of imports; null if the file is in none. In `edge` and `pages` of the gateway, each
 * folder is a node of the graph, and so are the files beside these folders.
 */
const nodeOf = (path: string): string | null => {
  const module = moduleOf(path)
  if (module) return `${module.service}/${module.noun}`
  const [, service, grouped, folder] = /^services\/([^/]+)\/src\/([^/]+)\/(?:([^/]+)\/)?.+\.[jt]s$/.exec(path) ?? []
  if (!grouped || !GROUPED.has(grouped)) return null
  return [service, grouped, folder].filter((part) => part !== undefined).join('/')
}

/** Import cycles between modules. Each cycle is returned once. */
const cycles = (files: readonly SourceFile[]): Problem[] => {
  const graph = new Map<string, Set<string>>()
  for (const file of files) {
    const from = nodeOf(file.path)
    if (from === null || isTest(file.path)) continue
    for (const target of importsOf(file.text)) {
      const to = nodeOf(reached(file, target))
      if (to === null || to === from || typeOnly(file.text, target)) continue
      graph.set(from, (graph.get(from) ?? new Set()).add(to))
    }
  }
  const found: Problem[] = []
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    const at = path.indexOf(name)
    if (at >= 0) found.push(`modules import each other in a circle: ${[...path.slice(at), name].join(' → ')}`)
    if (at >= 0 || done.has(name)) return
    done.add(name)
    for (const next of graph.get(name) ?? []) visit(next, [...path, name])
  }
  for (const name of graph.keys()) visit(name, [])
  return found
}

/** All problems of the modules that these files are in. */
export const moduleProblems = (files: readonly SourceFile[]): Problem[] => [
  ...files.flatMap((file) => {
    if (isTest(file.path)) return []
    const from = moduleOf(file.path)
    return [
      ...importsOf(file.text).flatMap((target) => [...checkImport(file, from, target), ...checkPage(file, target)]),
      ...(from?.kind === 'index' ? checkIndex(file) : []),
    ]
  }),
  ...cycles(files),
]

export const moduleRules = (): Problem[] => moduleProblems(sources('services/*/src/*.ts'))
