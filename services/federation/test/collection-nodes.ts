/** Collections of accounts as other servers write them, and agreements to be in one (FEP-7aa9). */
import type { Document, RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'

export const FEATURE_CONTEXT = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/fep/7aa9']
export type Node = Document & { id: string }

let made = 0
/** A unique number. */
export const another = (): number => ++made

export type Item = { account: string; authorization?: string | undefined }
export const itemNode = (collection: string, n: number, it: Item): Node => ({
  id: `${collection}/items/${n}`,
  type: 'FeaturedItem',
  featuredObject: it.account,
  featuredObjectType: 'Person',
  ...(it.authorization === undefined ? {} : { featureAuthorization: it.authorization }),
})

export const collectionNode = (owner: RemoteActor, items: Item[] = [], extra: Document = {}): Node => {
  const id = `${owner.id}/collections/${another()}`
  return {
    '@context': FEATURE_CONTEXT,
    id,
    type: 'FeaturedCollection',
    attributedTo: owner.id,
    url: `${id}.html`,
    name: 'Birds',
    summary: '<p>They &lt;sing&gt;</p>',
    topic: { type: 'Hashtag', name: '#Birds' },
    sensitive: false,
    discoverable: true,
    totalItems: items.length,
    orderedItems: items.map((it, n) => itemNode(id, n, it)),
    ...extra,
  }
}

/** Publishes a document at its id on its server. */
export const publish = (server: RemoteServer, node: Node): string => {
  server.publish(new URL(node.id).pathname, node)
  return node.id
}

/** Publishes a FeatureAuthorization of an actor on its server. */
export const agree = (server: RemoteServer, actor: RemoteActor, collection: string, extra: Document = {}): string =>
  publish(server, {
    '@context': FEATURE_CONTEXT,
    id: `${actor.id}/stamps/${another()}`,
    type: 'FeatureAuthorization',
    interactingObject: collection,
    interactionTarget: actor.id,
    ...extra,
  })

export type Member = readonly [RemoteServer, RemoteActor]

/** A collection with consenting members. */
export const filled = (owner: RemoteActor, members: readonly Member[], extra: Document = {}): Node => {
  const node = collectionNode(owner, [], extra)
  const items = members.map(([server, actor], n) =>
    itemNode(node.id, n, { account: actor.id, authorization: agree(server, actor, node.id) }),
  )
  return { ...node, totalItems: items.length, orderedItems: items }
}

/** Requests to this server whose path contains `part`. */
export const asksFor = (server: RemoteServer, part: string) =>
  server.requests.all.filter((one) => one.method === 'GET' && one.path.includes(part))
