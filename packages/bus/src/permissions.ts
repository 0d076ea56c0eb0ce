/** Permissions of each service on the bus, derived from its manifest; the server enforces them (D-10). */
import { inboxPrefix } from './connect.js'
import { eventStream, jobStream, LIVE_STREAM } from './topology.js'

export interface BusNeeds {
  service: string
  /** Subjects of the operations that the service calls. */
  calls: readonly string[]
  /** Events that the service consumes: owner service, subject and durable name. */
  listens: readonly { owner: string; durable: string; subject: string }[]
  /** Durable names and subjects of the service's own jobs. */
  works: readonly { durable: string; subject: string }[]
  /**
   * Surfaces, such as `user` and `public`, of the live messages (`live.<surface>.<key>`) that the service may publish.
   */
  live: readonly string[]
  /** True when the service reads live subjects and their stream. */
  receivesLive: boolean
  /** True when the service writes the instance policy bucket. */
  writesPolicy: boolean
  /** True when the service manages queues and dead letters of every service. */
  operates: boolean
}

export interface Permissions {
  publish: string[]
  subscribe: string[]
}

export const POLICY_BUCKET = 'INSTANCE'

const consumerApi = (stream: string, durable: string, filter: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filter}`,
  `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
  `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
]
const streamApi = (stream: string): string[] =>
  ['CREATE', 'UPDATE', 'INFO', 'MSG.GET'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`)

/** Subjects to which the login of a service may publish and subscribe. */
export const permissionsOf = (needs: BusNeeds): Permissions => {
  const own = [eventStream(needs.service), jobStream(needs.service)]
  const bucket = `KV_${POLICY_BUCKET}`
  const publish = [
    // The subject of an operation reaches any responder; with a further token, it reaches the one responder with that
    // id.
    ...needs.calls.flatMap((subject) => [subject, `${subject}.*`]),
    `evt.${needs.service}.>`,
    `job.${needs.service}.>`,
    `hint.${needs.service}.>`,
    ...needs.live.map((surface) => `live.${surface}.>`),
    '$JS.API.INFO',
    '$SRV.>',
    ...own.flatMap(streamApi),
    ...own.flatMap((stream) => [`$JS.API.CONSUMER.LIST.${stream}`, `$JS.API.CONSUMER.NAMES.${stream}`]),
    ...needs.listens.flatMap((one) => [
      `$JS.API.STREAM.INFO.${eventStream(one.owner)}`,
      `$JS.API.CONSUMER.LIST.${eventStream(one.owner)}`,
      ...consumerApi(eventStream(one.owner), one.durable, one.subject),
    ]),
    ...needs.works.flatMap((one) => consumerApi(jobStream(needs.service), one.durable, one.subject)),
    `$JS.API.STREAM.INFO.${bucket}`,
    `$JS.API.DIRECT.GET.${bucket}.>`,
    `$JS.API.STREAM.MSG.GET.${bucket}`,
    `$JS.API.CONSUMER.CREATE.${bucket}.>`,
    `$JS.API.CONSUMER.INFO.${bucket}.>`,
    `$JS.API.CONSUMER.DELETE.${bucket}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${bucket}.>`,
    '$JS.FC.>',
    ...(needs.writesPolicy ? [...streamApi(bucket), `$KV.${POLICY_BUCKET}.>`] : []),
    // A service that publishes to `live.user` or reads live subjects also creates and updates the stream of them.
    ...(needs.live.includes('user') || needs.receivesLive ? streamApi(LIVE_STREAM) : []),
    ...(needs.receivesLive
      ? [
          `$JS.API.CONSUMER.*.${LIVE_STREAM}.>`,
          `$JS.API.CONSUMER.MSG.NEXT.${LIVE_STREAM}.>`,
          `$JS.ACK.${LIVE_STREAM}.>`,
          `$JS.API.DIRECT.GET.${LIVE_STREAM}.>`,
        ]
      : []),
    // Reconciliation requests to the services that consume the events of this service. A service sends no other request
    // to a service of a higher layer (`docs/architecture.md`).
    'rpc.*.ops.lacking',
    ...(needs.operates
      ? [
          'rpc.*.ops.*',
          'rpc.*.ops.*.*',
          '$JS.API.STREAM.LIST',
          '$JS.API.STREAM.NAMES',
          '$JS.API.STREAM.INFO.>',
          '$JS.API.CONSUMER.LIST.>',
          '$JS.API.CONSUMER.INFO.>',
        ]
      : []),
  ]
  const subscribe = [
    `${inboxPrefix(needs.service)}.>`,
    `rpc.${needs.service}.>`,
    '$SRV.>',
    'hint.>',
    '$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>',
    ...(needs.receivesLive ? ['live.>', 'seq.>'] : []),
  ]
  return { publish: [...new Set(publish)], subscribe: [...new Set(subscribe)] }
}

/** The `authorization` block of a NATS server configuration, with a login for each of `users`. */
export const authorizationBlock = (
  users: readonly { user: string; password: string; permissions: Permissions }[],
): string => {
  const lines = users.map(
    ({ user, password, permissions }) =>
      `    { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)}, permissions: { publish: { allow: ${JSON.stringify(permissions.publish)} }, subscribe: { allow: ${JSON.stringify(permissions.subscribe)} }, allow_responses: { max: 128, expires: "2m" } } }`,
  )
  return `authorization {\n  users: [\n${lines.join('\n')}\n  ]\n}\n`
}
