/** Generates the list of operations that each service calls, from the imports of its code. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { operationConstants } from '@murmuration/contracts/registry'
import { sources } from '../rules/files.js'

/** Maximum length of a line, as in biome.json. */
const MAX_LINE = 120
const CONTRACTS = '@murmuration/contracts'

/** Matches an import from contracts, with its names and its module. */
const IMPORT = /^import \{([^}]*)\} from '@murmuration\/contracts\/(\w+)'$/gm

interface Added {
  readonly module: string
  readonly names: readonly string[]
  /** Last entries of the list. */
  readonly entries: readonly string[]
}

/** Entries that no import names one by one: operations of all kernels, and all operations with a route. */
const ADDED: Readonly<Record<string, Added>> = {
  admin: {
    module: 'kernel',
    names: ['KERNEL', 'OWNERS'],
    entries: ['...OWNERS.flatMap((owner) => Object.values(KERNEL[owner]))'],
  },
  gateway: { module: 'registry', names: ['routedOperations'], entries: ['...routedOperations()'] },
}

const SERVICES = ['accounts', 'admin', 'federation', 'gateway', 'media', 'notifications', 'statuses', 'streaming']

const known = (): ReadonlyMap<string, AnyOperation> =>
  new Map(operationConstants().map(([constant, operation]) => [`${operation.service}/${constant}`, operation]))

/**
 * True if the code of a service with this import sends requests with the operation. Contracts of own operations are also
 * imported by their handlers, and those with a route also for the permissions that they demand. The list of the gateway
 * contains all operations with a route.
 */
const isCalled = (service: string, operation: AnyOperation, constant: string, text: string): boolean => {
  if (operation.service !== service && operation.http.length === 0) return true
  return service !== 'gateway' && new RegExp(`\\bcall\\(\\s*${constant}\\b`).test(text)
}

/** Constants of the operations that a service calls, by the module of contracts that exports them. */
const callsOf = (service: string, operations: ReadonlyMap<string, AnyOperation>): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>()
  for (const { path, text } of sources(`services/${service}/src/*.ts`)) {
    if (/\.test\.ts$|\/calls\.ts$/.test(path)) continue
    for (const [, names = '', module = ''] of text.matchAll(IMPORT))
      for (const name of names.split(',')) {
        const [constant = '', local = constant] = name.trim().split(' as ')
        const operation = operations.get(`${module}/${constant}`)
        if (!operation || !isCalled(service, operation, local, text)) continue
        const constants = found.get(module) ?? new Set()
        found.set(module, constants.add(constant))
      }
  }
  return found
}

const byName = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)

/** `import { a, b } from '…'` in one line, or with a line for each name. */
const importOf = (module: string, names: readonly string[]): string => {
  const line = `import { ${names.join(', ')} } from '${CONTRACTS}/${module}'`
  return line.length <= MAX_LINE
    ? line
    : `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${CONTRACTS}/${module}'`
}

const listOf = (service: string, operations: ReadonlyMap<string, AnyOperation>): string => {
  const found = callsOf(service, operations)
  const added = ADDED[service]
  const imports = new Map([...found].map(([module, names]) => [module, [...names].toSorted(byName)]))
  if (added) imports.set(added.module, [...added.names])
  const lines = new Map([...imports].map(([module, names]) => [module, importOf(module, names)]))
  lines.set('kit', `import type { AnyOperation } from '${CONTRACTS}/kit'`)
  const entries = [...new Set([...found.values()].flatMap((names) => [...names]))].toSorted(byName)
  const all = [...entries, ...(added?.entries ?? [])]
  const short = `export const calls = [${all.join(', ')}] as const satisfies readonly AnyOperation[]`
  const list =
    short.length <= MAX_LINE
      ? short
      : `export const calls = [\n${all.map((name) => `  ${name},\n`).join('')}] as const satisfies readonly AnyOperation[]`
  return `/** Operations that ${service} calls. Written by \`npm run gen\`: do not edit. */
${[...lines]
  .toSorted(([a], [b]) => byName(a, b))
  .map(([, line]) => line)
  .join('\n')}

${list}
`
}

/** Texts of the files with lists of calls, by path. */
export const callLists = (): Record<string, string> => {
  const operations = known()
  return Object.fromEntries(
    SERVICES.map((service) => [`services/${service}/src/calls.ts`, listOf(service, operations)]),
  )
}
