/**
 * Remote actors in the form in which federation passes them to accounts. For actors of a fake server, see
 * `outside/remote-actor`.
 */
import type { RemoteActor } from '@murmuration/contracts/accounts'

/** An actor without pictures, keys and counts. `more` replaces properties. */
export const remoteActor = (username: string, domain: string, more: Partial<RemoteActor> = {}): RemoteActor => {
  const uri = more.uri ?? `https://${domain}/users/${username}`
  return {
    uri,
    username,
    domain,
    type: 'Person',
    url: `https://${domain}/@${username}`,
    display_name: username,
    note: '',
    fields: [],
    inbox_url: `${uri}/inbox`,
    shared_inbox_url: null,
    outbox_url: null,
    followers_url: null,
    following_url: null,
    featured_url: null,
    locked: false,
    discoverable: true,
    indexable: true,
    memorial: false,
    suspended: false,
    avatar_url: null,
    avatar_description: '',
    header_url: null,
    header_description: '',
    keys: [],
    emojis: [],
    also_known_as: [],
    moved_to: null,
    published: null,
    followers_count: null,
    following_count: null,
    statuses_count: null,
    hide_collections: null,
    ...more,
  }
}
