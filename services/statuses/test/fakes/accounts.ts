/** Fake accounts service: responds with the data of the test's `FakeData`, and announces the events that tests name. */
import * as accounts from '@murmuration/contracts/accounts'
import { fail, notFound, olderNames, toJson } from '@murmuration/contracts/kit'
import { type App, type BaseContext, handlersFor, type OperationEntry, service } from '@murmuration/kernel'
import { cardOf, type FakeAccount, type FakeData } from './data.js'

const { handle } = handlersFor<BaseContext>()

const recordOf = ({
  defaults: _defaults,
  active: _active,
  disabled: _disabled,
  ...record
}: FakeAccount): accounts.AccountRecord => record
const keyOf = (fakeAccount: FakeAccount): string =>
  (fakeAccount.domain === null ? fakeAccount.username : `${fakeAccount.username}@${fakeAccount.domain}`).toLowerCase()

const profileOf = (fakes: FakeData, id: string) => {
  const fakeAccount = fakes.fakeAccounts.get(id)
  if (!fakeAccount) throw notFound()
  return {
    id,
    display_name: fakeAccount.display_name,
    note: '',
    formatted_note: '',
    fields: [],
    formatted_fields: [],
    avatar: null,
    avatar_static: null,
    avatar_description: '',
    header: null,
    header_static: null,
    header_description: '',
    locked: fakeAccount.locked,
    bot: fakeAccount.bot,
    hide_collections: null,
    discoverable: fakeAccount.discoverable,
    indexable: fakeAccount.indexable,
    show_media: true,
    show_media_replies: true,
    show_featured: true,
    attribution_domains: [],
  }
}

/** Records each call, so that tests can count the requests of a page. */
const counted = (fakes: FakeData, entry: OperationEntry): OperationEntry => ({
  ...entry,
  run: (...given) => {
    fakes.asked.push(entry.operation.name)
    return entry.run(...given)
  },
})

export const accountsApp = (fakes: FakeData): App => {
  const known = (ids: readonly string[] = []): FakeAccount[] => ids.flatMap((id) => fakes.fakeAccounts.get(id) ?? [])

  const apartAmong = (viewers: readonly string[], named: readonly string[]) =>
    Object.fromEntries(
      viewers.flatMap((viewer) => {
        const far = named
          .map((id) => ({ id, ...fakes.relationship(viewer, id) }))
          .filter((one) => one.blocking || one.muting || one.blocked_by || one.domain_blocking)
          .map(({ id, blocking, muting, blocked_by, domain_blocking }) => ({
            id,
            blocking,
            muting,
            blocked_by,
            domain_blocking,
          }))
        return far.length ? [[viewer, far] as const] : []
      }),
    )

  const operations = [
    handle(
      accounts.accountCards,
      async (_ctx, _viewer, { ids }) =>
        new Map(known(ids).map((fakeAccount) => [fakeAccount.id, toJson(cardOf(fakeAccount))])),
    ),
    handle(accounts.accountRecords, async (_ctx, _viewer, { ids, uris, handles }) => {
      const fakeAccounts = [...fakes.fakeAccounts.values()]
      const found = [
        ...known(ids),
        ...fakeAccounts.filter(
          (fakeAccount) => uris?.includes(fakeAccount.uri) || handles?.includes(keyOf(fakeAccount)),
        ),
      ]
      return { records: [...new Set(found)].map(recordOf) }
    }),
    handle(accounts.resolveAccount, async (_ctx, _viewer, { uri, handle: name }) => {
      const here = [...fakes.fakeAccounts.values()].find(
        (fakeAccount) => fakeAccount.uri === uri || keyOf(fakeAccount) === name,
      )
      const there = fakes.outside.get(uri ?? name ?? '')
      if (here) return { record: recordOf(here) }
      if (fakes.away.has(uri ?? name ?? '')) return { record: null, later: true }
      if (!there || !('username' in there)) return { record: null }
      fakes.fakeAccounts.set(there.id, there)
      return { record: recordOf(there) }
    }),
    handle(accounts.findAccount, async (_ctx, _viewer, wish) => {
      const q = wish.q.replace(/^@/, '').toLowerCase()
      const followed = (id: string) => id === wish.viewer || fakes.follows.has(`${wish.viewer}>${id}`)
      const found = [...fakes.fakeAccounts.values()]
        .filter((fakeAccount) => (wish.exact ? keyOf(fakeAccount) === q : keyOf(fakeAccount).startsWith(q)))
        .filter((fakeAccount) => !fakeAccount.suspended && (!wish.following || followed(fakeAccount.id)))
        .sort((a, b) => keyOf(a).length - keyOf(b).length)
      return { ids: found.slice(wish.offset, wish.offset + wish.limit).map((fakeAccount) => fakeAccount.id) }
    }),
    handle(accounts.creditAllowed, async (_ctx, _viewer, { id, host }) => ({
      allowed: fakes.credits.has(`${id} ${host}`),
    })),
    handle(accounts.postingDefaults, async (_ctx, _viewer, { id }) => {
      const fakeAccount = fakes.fakeAccounts.get(id)
      if (!fakeAccount) throw notFound()
      return fakeAccount.defaults
    }),
    handle(accounts.showAuthor, async (_ctx, _viewer, { id, handles }) => {
      const fakeAccount = fakes.fakeAccounts.get(id)
      if (!fakeAccount) throw notFound()
      const named = [...fakes.fakeAccounts.values()].filter((one) => handles?.includes(keyOf(one)))
      return {
        author: recordOf(fakeAccount),
        defaults: fakeAccount.defaults,
        named: named.map(recordOf),
        ...(fakeAccount.disabled && { disabled: true as const }),
      }
    }),
    handle(accounts.getProfile, async (_ctx, _viewer, { id }) => profileOf(fakes, id)),
    handle(accounts.changeProfile, async (_ctx, _viewer, { id, display_name, note, avatar }) => {
      const fakeAccount = fakes.fakeAccounts.get(id)
      if (fakeAccount && display_name !== undefined) fakeAccount.display_name = display_name
      if (note !== undefined)
        throw fail('unprocessable', 'Validation failed: Note is too long', { body: { details: {} } })
      fakes.asked.push(avatar ? `avatar ${avatar.key}` : 'no avatar')
      return profileOf(fakes, id)
    }),
    handle(accounts.verifyApp, async () => ({
      id: '1',
      name: 'Test app',
      website: null,
      scopes: ['read', 'write'],
      redirect_uris: ['urn:ietf:wg:oauth:2.0:oob'],
      redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
      vapid_key: 'x',
    })),
    handle(accounts.listViewerRelationships, async (_ctx, _viewer, { viewer, authors }) => ({
      [olderNames.relationships]: Object.fromEntries(
        known(authors).map(({ id }) => [id, fakes.relationship(viewer, id)]),
      ),
    })),
    handle(accounts.listRelationshipsToAuthor, async (_ctx, _viewer, { author, viewers }) => ({
      [olderNames.relationships]: Object.fromEntries(
        known(viewers).map(({ id }) => [id, fakes.relationship(id, author)]),
      ),
    })),
    handle(accounts.listRelationshipsOfViewers, async (_ctx, _viewer, { asked }) => ({
      [olderNames.relationships]: Object.fromEntries(
        Object.entries(asked).map(([viewer, authors]) => [
          viewer,
          Object.fromEntries(known(authors).map(({ id }) => [id, fakes.relationship(viewer, id)])),
        ]),
      ),
    })),
    handle(accounts.chosenLanguages, async (_ctx, _viewer, { ids }) => ({
      chosen: Object.fromEntries(
        known(ids).flatMap(({ id, defaults }) => (defaults.chosen_languages ? [[id, defaults.chosen_languages]] : [])),
      ),
    })),
    handle(accounts.rolesOf, async () => ({ accountIds: [] })),
    handle(accounts.mutuallyHidden, async (_ctx, _viewer, { named }) => ({
      apart: fakes.manyHidden ? null : apartAmong([...fakes.fakeAccounts.keys()], named),
    })),
    handle(accounts.feedRelationships, async (_ctx, _viewer, { viewers, named, answers }) => ({
      apart: apartAmong(viewers, named),
      following: answers === null ? [] : viewers.filter((viewer) => fakes.relationship(viewer, answers).following),
    })),
    handle(accounts.audience, async (_ctx, _viewer, { author, after, limit = 1_000, about, compact }) => {
      const all = fakes
        .followersOf(author)
        .concat((about ?? []).map((id) => [id, { reblogs: true, notify: false, languages: null }]))
        .filter(([id]) => fakes.fakeAccounts.get(id)?.active && (about === undefined || about.includes(id)))
        .filter(([id]) => after === undefined || BigInt(id) > BigInt(after))
        .sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1))
      const unique = [...new Map(all).entries()]
      const page = unique.slice(0, Math.min(limit, fakes.audiencePage)).map(([id, follow]) => ({
        id,
        ...follow,
        muting: fakes.relationship(id, author).muting,
        aggregate: fakes.fakeAccounts.get(id)?.defaults.aggregate_reblogs ?? true,
        lists: [...fakes.lists.values()]
          .filter((list) => list.owner === id && list.members.includes(author))
          .map((list) => ({ id: list.id, exclusive: list.exclusive, replies: list.replies })),
      }))
      const isPlain = (one: accounts.Follower) =>
        compact === true &&
        one.aggregate !== false &&
        one.reblogs &&
        !one.languages &&
        !one.muting &&
        one.lists.length === 0
      return {
        plain: page.filter(isPlain).map((one) => one.id),
        followers: page.filter((one) => !isPlain(one)),
        own: [...fakes.lists.values()]
          .filter((list) => compact && list.owner === author && list.members.includes(author))
          .map((list) => list.id),
        next: unique.length > page.length ? (page.at(-1)?.id ?? null) : null,
      }
    }),
    handle(accounts.feedOwners, async () => ({
      owners: [...fakes.fakeAccounts.keys()].map((id) => ({
        id,
        lists: [...fakes.lists.values()].filter((list) => list.owner === id).map((list) => list.id),
      })),
      next: null,
    })),
    handle(accounts.followees, async (_ctx, _viewer, { id, list }) => {
      const wanted = list === undefined ? null : fakes.lists.get(list)
      const exclusive = new Set(
        [...fakes.lists.values()].filter((one) => one.owner === id && one.exclusive).flatMap((one) => one.members),
      )
      return {
        followees: fakes
          .followeesOf(id)
          .filter(([author]) => wanted === null || wanted?.members.includes(author))
          .map(([author, follow]) => ({
            id: author,
            reblogs: follow.reblogs,
            languages: follow.languages,
            exclusive: exclusive.has(author),
          })),
        replies: wanted?.replies ?? null,
      }
    }),
    handle(
      accounts.collectionCards,
      async (_ctx, _viewer, { ids }) =>
        new Map(
          ids.flatMap((id) => {
            const card = fakes.collections.get(id)
            return card === undefined ? [] : [[id, toJson(card)] as const]
          }),
        ),
    ),
    handle(accounts.resolveCollection, async () => ({ id: null })),
    handle(accounts.followersGained, async (_ctx, _viewer, { id }) => ({
      count: [...fakes.follows.keys()].filter((pair) => pair.endsWith(`>${id}`)).length,
    })),
    handle(accounts.importFilters, async (_ctx, _viewer, { id, after }) => {
      const page = (fakes.filterFiles.get(id) ?? []).slice(after, after + 2)
      const rows = page.map((document, i) => ({ n: after + i + 1, document }))
      return { rows, next: rows.length === 2 ? after + 2 : null }
    }),
    handle(accounts.checkImportRemoval, async (_ctx, _viewer, { id }) => ({ due: fakes.removalsDue.has(id) })),
    handle(accounts.importReport, async (_ctx, _viewer, { id, rows, ...report }) => {
      fakes.importReports.push({ id, ...report })
      fakes.reported.set(id, [...(fakes.reported.get(id) ?? []), ...rows])
      return fakes.repeating.has(id) ? { repeats: true } : {}
    }),
    handle(accounts.showList, async (_ctx, viewer, { id }) => {
      const list = fakes.lists.get(id)
      if (!list || list.owner !== viewer.id) throw notFound()
      return { id, title: 'list', replies_policy: list.replies, exclusive: list.exclusive }
    }),
  ]
  return {
    manifest: service('accounts', {
      operations: operations.map((entry) => counted(fakes, entry)),
      announces: [
        accounts.accountChanged,
        accounts.accountRemoved,
        accounts.remoteRead,
        accounts.followCreated,
        accounts.followRemoved,
        accounts.blockCreated,
        accounts.muteCreated,
        accounts.muteRemoved,
        accounts.domainBlocked,
        accounts.filtersWanted,
        accounts.preferencesChanged,
        accounts.listChanged,
      ],
      invalidations: [accounts.accountInvalidation],
      roles: { api: { operations: true, ticks: true, scales: 'tests', needs: [] } },
    }),
    createContext: (base) => base,
  }
}
