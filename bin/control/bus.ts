/** Commands that read the state of the bus: its streams, consumers, and the processes that respond to requests. */
import { Argument, Option } from '@commander-js/extra-typings'
import { eventStream, jobStream } from '@murmuration/bus'
import { OWNERS, type Owner } from '@murmuration/contracts/kernel'
import { z } from 'zod'
import type { Operator } from './operator.js'
import { type Commands, examples, minuteText, NONE } from './result.js'

/** Members of the bus that store a stream or the state of a consumer. Absent on a bus with one member. */
const Cluster = z.object({
  leader: z.string().optional(),
  replicas: z
    .array(z.object({ name: z.string(), current: z.boolean(), offline: z.boolean().optional() }))
    .nullish()
    .transform((found) => found ?? []),
})
type Cluster = z.infer<typeof Cluster>

const Stream = z.object({
  config: z.object({ name: z.string(), max_bytes: z.number(), num_replicas: z.number() }),
  state: z.object({ messages: z.number(), bytes: z.number() }),
  cluster: Cluster.optional(),
})
type Stream = z.infer<typeof Stream>

const Consumer = z.object({
  stream_name: z.string(),
  name: z.string(),
  num_pending: z.number(),
  num_ack_pending: z.number(),
  /** Number of pull requests that wait for messages. */
  num_waiting: z.number(),
  delivered: z.object({ last_active: z.string().optional() }),
  cluster: Cluster.optional(),
})
type Consumer = z.infer<typeof Consumer>

const Page = z.object({
  total: z.number().default(0),
  limit: z.number().default(0),
  error: z.object({ description: z.string() }).optional(),
  /** Streams or consumers whose leader did not respond to the bus. */
  missing: z
    .array(z.string())
    .nullish()
    .transform((found) => found ?? []),
})

/** Reads all pages of a list of the JetStream API. `missing`: names whose state the bus could not read. */
const listOf = async <S extends z.ZodType>(operator: Operator, subject: string, key: string, item: S) => {
  const found: z.output<S>[] = []
  const missing = new Set<string>()
  for (let offset = 0; ; ) {
    const response = await operator.askBus(subject, { offset })
    const { total, limit, error, missing: away } = Page.parse(response)
    if (error) throw new Error(`The bus refused the request: ${error.description}`)
    const items = (response as Record<string, unknown[] | null>)[key] ?? []
    found.push(...items.map((one) => item.parse(one)))
    for (const one of away) missing.add(one)
    offset += Math.max(limit, 1)
    if (offset >= total) return { found, missing: [...missing] }
  }
}

/** Text about the members that store a copy: the leader, and the members whose copy is not current. */
const copiesText = (cluster: Cluster | undefined, copies: number): string => {
  if (!cluster || copies === 1) return cluster && !cluster.leader ? 'no leader' : '1 copy'
  const behind = cluster.replicas.filter((one) => one.offline || !one.current)
  const names = behind.map((one) => `${one.name} ${one.offline ? 'is offline' : 'is behind'}`)
  const current = cluster.replicas.length - behind.length + (cluster.leader ? 1 : 0)
  const note = names.length > 0 ? ` (${names.join(', ')})` : ''
  return `${cluster.leader ? `leader ${cluster.leader}` : 'no leader'}, ${current} of ${copies} copies current${note}`
}

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)

const streamLine = ({ config, state, cluster }: Stream): string => {
  const most = config.max_bytes > 0 ? ` of ${megabytes(config.max_bytes)}` : ''
  const size = `${state.messages} messages, ${megabytes(state.bytes)}${most} MiB`
  return `${config.name.padEnd(20)} ${size}, ${copiesText(cluster, config.num_replicas)}`
}

const consumerLine = (one: Consumer): string => {
  const { stream_name, name, num_pending, num_ack_pending, num_waiting, delivered, cluster } = one
  const copies = cluster ? cluster.replicas.length + 1 : 1
  const last = delivered.last_active ? `last message at ${delivered.last_active.slice(0, 19)}Z` : 'no message yet'
  const counts = `pending ${num_pending}, in progress ${num_ack_pending}, open pulls ${num_waiting}`
  return `${stream_name.padEnd(20)} ${name.padEnd(48)} ${counts}, ${last}, ${copiesText(cluster, copies)}`
}

const linesOf = (lines: readonly string[], missing: readonly string[]): string =>
  [...lines, ...missing.map((name) => `${name.padEnd(20)} no response from its leader`)].join('\n') || NONE

const ofService = (service: Owner | undefined) => {
  const names = service && [eventStream(service), jobStream(service)]
  return (name: string): boolean => names === undefined || names.includes(name)
}
const serviceOption = () => new Option('--service <service>', 'only streams of this service').choices(OWNERS)

const readStreams = async (operator: Operator, service: Owner | undefined) => {
  const isWanted = ofService(service)
  const { found, missing } = await listOf(operator, '$JS.API.STREAM.LIST', 'streams', Stream)
  const streams = found.filter((one) => isWanted(one.config.name))
  return {
    streams: streams.toSorted((a, b) => a.config.name.localeCompare(b.config.name)),
    missing: missing.filter(isWanted),
  }
}

const readConsumers = async (operator: Operator, name: string | undefined, service: Owner | undefined) => {
  const { streams, missing } = await readStreams(operator, service)
  const lists = await Promise.all(
    streams.map(({ config }) => listOf(operator, `$JS.API.CONSUMER.LIST.${config.name}`, 'consumers', Consumer)),
  )
  const isNamed = (one: string): boolean => name === undefined || one === name
  return {
    consumers: lists.flatMap((one) => one.found).filter((one) => isNamed(one.name)),
    missing: [...missing, ...lists.flatMap((one) => one.missing).filter(isNamed)],
  }
}

/** A process that responds to requests to a service, as it describes itself to the NATS services framework. */
const Responder = z.object({
  name: z.string(),
  id: z.string(),
  version: z.string(),
  started: z.string(),
  endpoints: z
    .array(z.unknown())
    .nullish()
    .transform((found) => found ?? []),
})

/** Prefix of the names under which services are registered at the bus. */
const PREFIX = 'murmuration-'

const readResponders = async (operator: Operator, services: readonly Owner[]) => {
  const lists = await Promise.all(services.map((one) => operator.askAll(`$SRV.STATS.${PREFIX}${one}`)))
  return services.map((service, n) => ({
    service,
    processes: (lists[n] ?? [])
      .map((one) => Responder.parse(one))
      .map(({ id, version, started, endpoints }) => ({ id, version, started, operations: endpoints.length })),
  }))
}

export const addBusCommands = ({ group, run }: Commands): void => {
  const bus = group('bus', 'State of the bus (NATS): streams, consumers, and processes that respond.')
  bus
    .command('streams')
    .description('List streams with their size, limit, leader and copies.')
    .addOption(serviceOption())
    .addHelpText('after', examples('bus streams', 'bus streams --service statuses'))
    .action(
      run(async (operator, { service }) => {
        const { streams, missing } = await readStreams(operator, service)
        return { data: { streams, missing }, text: linesOf(streams.map(streamLine), missing) }
      }),
    )
  bus
    .command('consumers [name]')
    .description('List consumers with their open pulls, last message, leader and copies, or show one.')
    .addOption(serviceOption())
    .addHelpText('after', examples('bus consumers --service statuses', 'bus consumers statuses_fan-out'))
    .action(
      run(async (operator, name, { service }) => {
        const { consumers, missing } = await readConsumers(operator, name, service)
        const isUnknown = name !== undefined && consumers.length + missing.length === 0
        if (isUnknown) throw new Error(`There is no consumer ${name}.`)
        return { data: { consumers, missing }, text: linesOf(consumers.map(consumerLine), missing) }
      }),
    )
  bus
    .command('services')
    .addArgument(new Argument('[service]', 'only this service').choices(OWNERS))
    .description('List the processes that respond to requests to services. The exit status is 1 if a service has none.')
    .addHelpText('after', examples('bus services', 'bus services statuses'))
    .action(
      run(async (operator, service) => {
        const found = await readResponders(operator, service ? [service] : OWNERS)
        const lines = found.flatMap(({ service: name, processes }) =>
          processes.length === 0
            ? `${name}: no process responds`
            : processes.map(
                (one) =>
                  `${name}: ${one.id}, version ${one.version}, since ${minuteText(one.started)}, ${one.operations} operations`,
              ),
        )
        const code = found.some((one) => one.processes.length === 0) ? 1 : 0
        return { data: found, text: lines.join('\n'), code }
      }),
    )
}
