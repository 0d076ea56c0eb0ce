/** Writes NodeInfo 2.0 with exactly the members of its schema, because some crawlers validate it. */

export type NodeInfoSource = {
  /** Name of the software: lower-case letters, digits and hyphens. */
  softwareName: string
  softwareVersion: string
  openRegistrations: boolean
  /** `usage` is null if the counts are private. */
  usage: {
    users: {
      /** Number of local users that are confirmed and not suspended. */
      total: number
      /** Number of users that were active in the last 30 and 180 days. */
      activeMonth: number
      activeHalfyear: number
    }
    localPosts: number
    localComments?: number
  } | null
  /** Additional values without a schema, for clients and crawlers. */
  metadata: Readonly<Record<string, unknown>>
}

const schema = 'http://nodeinfo.diaspora.software/ns/schema/2.0'

const count = (value: number): number => Math.max(0, Math.trunc(value))

const usageOf = ({ users, localPosts, localComments }: NonNullable<NodeInfoSource['usage']>) => ({
  users: {
    total: count(users.total),
    activeMonth: count(users.activeMonth),
    activeHalfyear: count(users.activeHalfyear),
  },
  localPosts: count(localPosts),
  ...(localComments === undefined ? {} : { localComments: count(localComments) }),
})

/** Writes the document at `/nodeinfo/2.0`. Throws if the name of the software is invalid. */
export const writeNodeInfo = (it: NodeInfoSource) => {
  if (!/^[a-z0-9-]+$/.test(it.softwareName))
    throw new Error('software name must be lower-case letters, digits and hyphens')
  return {
    version: '2.0',
    software: { name: it.softwareName, version: it.softwareVersion },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: it.openRegistrations,
    usage: it.usage === null ? { users: {} } : usageOf(it.usage),
    metadata: it.metadata,
  }
}

/** Writes the document at `/.well-known/nodeinfo`: links to NodeInfo and to the instance actor (FEP-2677). */
export const writeNodeInfoLinks = (it: { webOrigin: string; instanceActor: string }) => ({
  links: [
    { rel: schema, href: `${it.webOrigin}/nodeinfo/2.0` },
    { rel: 'https://www.w3.org/ns/activitystreams#Application', href: it.instanceActor },
  ],
})
