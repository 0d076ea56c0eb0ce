/** Checks that each operation has exactly one handler, and each event one announcing service. Calls must go to a lower layer. */
import type { AnyEvent } from '@murmuration/contracts/kit'
import { allEvents, allOperations, operationConstants } from '@murmuration/contracts/registry'
import type { App } from '@murmuration/kernel'
import { type Problem, sources } from './files.js'
import { moduleOf } from './modules.js'

/**
 * Layers of the architecture. A service may send requests only to services of a lower layer. `federation.fetch` is in
 * the lowest layer.
 */
const LAYER: Record<string, number> = {
  gateway: 9,
  streaming: 9,
  admin: 4,
  notifications: 3,
  federation: 3,
  statuses: 2,
  accounts: 1,
  media: 0,
}
const layerOf = (name: string): number =>
  name.startsWith('federation.fetch.') ? 0 : (LAYER[name.split('.')[0] ?? ''] ?? 0)

const handlers = (apps: readonly App[]): Problem[] => {
  const owners = new Map<string, string[]>()
  for (const { manifest } of apps)
    for (const entry of manifest.operations)
      owners.set(entry.operation.name, [...(owners.get(entry.operation.name) ?? []), manifest.service])
  return allOperations().flatMap((operation) => {
    const by = owners.get(operation.name) ?? []
    if (by.length === 0)
      return [
        `${operation.name} has a contract and no handler: write services/${operation.service}/src/<noun>/operations.ts`,
      ]
    if (by.length > 1) return [`${operation.name} has ${by.length} handlers`]
    return by[0] === operation.service
      ? []
      : [`${operation.name} has its handler in ${by[0]}: it belongs into ${operation.service}`]
  })
}

const layers = (apps: readonly App[]): Problem[] =>
  apps.flatMap(({ manifest }) =>
    manifest.calls
      .filter((call) => layerOf(call.name) >= (LAYER[manifest.service] ?? 0) && call.service !== manifest.service)
      .map((call) => `${manifest.service} calls ${call.name}: requests only go to a lower layer`),
  )

const routes = (): Problem[] => {
  const seen = new Map<string, string>()
  return allOperations().flatMap((operation) =>
    operation.http.flatMap((route) => {
      const key = `${route.method} ${route.path.replace(/:\w+/g, ':')}`
      const before = seen.get(key)
      seen.set(key, operation.name)
      return before && before !== operation.name
        ? [`${route.method} ${route.path} belongs to both ${before} and ${operation.name}`]
        : []
    }),
  )
}

/** Verbs of operations. Names of operations that only read may end with a noun instead, such as `cards`. */
const VERBS = new Set(
  `act add approve assign authorize begin browse build cancel change check claim clear confirm copy create cull deactivate
  delete deny dismiss drop expire explain export find finish follow get import introspect issue link list lookup memorialize
  moderate open order prepare preview prune publish purge react refresh reject remove renew replay request resend reset
  resolve restore retry revoke rotate search select set show test undo unfollow unsubscribe update verify enable disable
  accept unassign reopen stop`.split(/\s+/),
)
/** Words after the verb and noun of a constant. */
const SUFFIXES = new Set(['all', 'of', 'by', 'operator', 'staff', 'v1'])

/** Constants of operations are verb and noun, such as `createList` for `accounts.list.create`. */
const constantNames = (): Problem[] =>
  operationConstants().flatMap(([constant, { name }]) => {
    const words = constant.match(/[A-Z]?[a-z0-9]+/g)?.map((word) => word.toLowerCase()) ?? []
    const endsWithVerb = VERBS.has(words.filter((word) => !SUFFIXES.has(word)).at(-1) ?? '')
    return endsWithVerb && !VERBS.has(words[0] ?? '') ? [`${constant} of ${name}: write the verb first`] : []
  })

/** Patterns with which a test can name an event: its full name, its name without the service, or its constant. */
const namesOf = ({ name, service }: AnyEvent, constants: ReadonlyMap<string, string>): RegExp[] =>
  [
    `\\b${RegExp.escape(name)}\\b`,
    `'${RegExp.escape(name.slice(service.length + 1))}'`,
    `\\b${constants.get(name)}\\b`,
  ].map((pattern) => new RegExp(pattern))

/** Text of a service without imports, reactions and tests, in which its events must be announced. */
const announcingText = (service: string): string =>
  sources(`services/${service}/src/*.ts`)
    .filter(({ path }) => !/(\.test|reactions?)\.ts$/.test(path))
    .map(({ text }) => text.replaceAll(/^import [^;]*? from '.*'$/gm, ''))
    .join('\n')

/** Members of `Happened`, which the kernel sets on each event. */
const SET_BY_KERNEL = ['eventId', 'at', 'consumer']

const events = (): Problem[] => {
  const owners = new Set(allEvents().map((event) => event.service))
  const texts = new Map([...owners].map((owner) => [owner, announcingText(owner)]))
  const tests = sources('services/*/test/*.ts', 'services/*/src/*.test.ts', 'e2e/*.ts')
    .map((file) => file.text)
    .join('\n')
  const contracts = sources('packages/contracts/src/*/*.ts').flatMap((file) => [
    ...file.text.matchAll(/export const (\w+) = event\('([^']+)'/g),
  ])
  const constants = new Map(contracts.map(([, constant = '', name = '']) => [name, constant]))
  return allEvents().flatMap((event) => {
    const problems: Problem[] = []
    if (!new RegExp(`\\b${constants.get(event.name)}\\b`).test(texts.get(event.service) ?? ''))
      problems.push(`${event.name} has a contract and ${event.service} does not announce it`)
    const members = Object.keys((event.data as { shape?: object }).shape ?? {})
    for (const name of SET_BY_KERNEL.filter((one) => members.includes(one)))
      problems.push(`${event.name} has a member \`${name}\`, which the kernel replaces: use another name`)
    if (!namesOf(event, constants).some((name) => name.test(tests))) problems.push(`${event.name} is named by no test`)
    return problems
  })
}

/** Problems of ticks and job queues without a test. A test must contain the name of the tick or job, or import the file of the tick. */
const scheduled = (apps: readonly App[]): Problem[] => {
  const tests = sources('services/*/test/*.ts', 'e2e/*.ts')
    .map((file) => file.text)
    .join('\n')
  const ticks = sources('services/*/src/*.ts').filter(({ path }) => moduleOf(path)?.kind === 'tick')
  const isImported = (name: string): boolean => {
    const file = ticks.find(({ text }) => text.includes(`'${name}'`))?.path.split('/src/')[1]
    return file !== undefined && tests.includes(`/src/${file.replace('.ts', '.js')}'`)
  }
  return apps.flatMap(({ manifest }) => [
    ...manifest.ticks
      .filter(({ name }) => !new RegExp(`\\b${RegExp.escape(name)}\\b`).test(tests) && !isImported(name))
      .map(({ name }) => `the tick ${name} is run by no test: see e2e/upkeep/ticks.test.ts`),
    ...manifest.jobs
      .filter(({ job }) => !tests.includes(`'${job.name}'`))
      .map(({ job }) => `the queue ${job.name} is named by no test: see e2e/upkeep/jobs.test.ts`),
  ])
}

/** Problems of reactions that are not in a reactions file of a module. */
const places = (apps: readonly App[]): Problem[] =>
  apps.flatMap(({ manifest }) => {
    const inModules = sources(`services/${manifest.service}/src/*.ts`).filter(
      ({ path }) => moduleOf(path)?.kind === 'reaction',
    )
    return manifest.reactions
      .filter((entry) => !inModules.some(({ text }) => text.includes(`'${entry.name}'`)))
      .map((entry) => `${manifest.service}: reaction ${entry.name} is in no reactions.ts`)
  })

export const contractRules = (apps: readonly App[]): Problem[] => [
  ...handlers(apps),
  ...layers(apps),
  ...routes(),
  ...constantNames(),
  ...events(),
  ...scheduled(apps),
  ...places(apps),
]
