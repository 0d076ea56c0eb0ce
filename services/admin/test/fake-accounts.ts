/** A fake accounts service that responds from the fixtures and moderates their accounts. */
import * as accounts from '@murmuration/contracts/accounts'
import { fail, toJson } from '@murmuration/contracts/kit'
import { can, DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import type { App } from '@murmuration/kernel'
import { fakeService, handle } from './fake-service.js'
import { accountOf, adminAccountOf, as, type FakeAccount, type Fixtures } from './fixtures.js'

const recordOf = (one: FakeAccount): accounts.AccountRecord => {
  const { id, username, acct, url } = accountOf(one)
  return {
    id,
    username,
    acct,
    url,
    uri: url,
    domain: one.domain,
    display_name: username,
    locked: false,
    bot: false,
    discoverable: false,
    indexable: false,
    silenced: one.silenced !== null,
    suspended: one.suspended !== null,
    sensitized: one.sensitized,
    usable: one.usable,
    created_at: '2026-01-02T00:00:00.000Z',
    inbox_url: null,
    shared_inbox_url: null,
    followers_url: null,
    moved_to_id: null,
  }
}

const COLLECTION = {
  uri: 'https://here.example/collections/1',
  url: null,
  name: 'Birds',
  description: '',
  language: null,
  local: true,
  sensitive: false,
  discoverable: true,
  tag: null,
  item_count: 0,
  items: [],
  created_at: '2026-01-02T00:00:00.000Z',
  updated_at: '2026-01-02T00:00:00.000Z',
}

const adminRecordOf = (one: FakeAccount): accounts.AdminRecord => ({
  id: one.id,
  position: one.role && DEFAULT_ROLES[one.role].position,
  suspended_locally: one.suspended !== null && one.suspended !== 'home server',
  stamps: { silenced: one.silenced, suspended: one.suspended },
  account: adminAccountOf(one),
})

const within = (domain: string) => (one: FakeAccount) =>
  one.domain !== null && (one.domain === domain || one.domain.endsWith(`.${domain}`))

/** Sets or clears stamped states. Undo by a domain requires the same stamp; undo by id does not. */
const stamped = (
  fakeAccounts: FakeAccount[],
  state: 'silenced' | 'suspended',
  wanted: boolean,
  stamp: string,
  { single, replaces }: { single: boolean; replaces: boolean },
): number => {
  const changing = fakeAccounts.filter((one) =>
    wanted
      ? replaces || one[state] === null || (single && one[state] === 'home server')
      : one[state] !== null && (single || one[state] === stamp),
  )
  for (const one of changing) one[state] = wanted ? stamp : null
  return changing.length
}

/** Resolves a token of the form `<account id>/<scope>,<scope>`. */
const resolved = (fixtures: Fixtures, token: string) => {
  const [id = '', scopes = ''] = token.split('/')
  const found = fixtures.fakeAccounts.get(id)
  if (!found) return { found: null, why: 'unknown' as const }
  return {
    found: {
      tokenId: id,
      appId: '1',
      scopes: scopes.split(','),
      viewer: as(found),
      state: found.disabled ? ('disabled' as const) : ('ok' as const),
    },
    why: 'ok' as const,
  }
}

export const accountsApp = (fixtures: Fixtures): App => {
  const known = (ids: readonly string[] = []): FakeAccount[] => ids.flatMap((id) => fixtures.fakeAccounts.get(id) ?? [])
  return fakeService('accounts', fixtures, [
    handle(accounts.resolveToken, async (_ctx, _viewer, { token }) => resolved(fixtures, token)),
    handle(
      accounts.accountCards,
      async (_ctx, _viewer, { ids }) => new Map(known(ids).map((one) => [one.id, toJson(accountOf(one))])),
    ),
    handle(
      accounts.collectionCards,
      async (_ctx, _viewer, { ids }) =>
        new Map(
          ids.flatMap((id) => {
            const owner = fixtures.collections.get(id)
            return owner === undefined ? [] : [[id, toJson({ ...COLLECTION, id, account_id: owner })] as const]
          }),
        ),
    ),
    handle(accounts.accountRecords, async (_ctx, _viewer, { ids, handles }) => {
      const named = [...fixtures.fakeAccounts.values()].filter(
        (one) => one.domain === null && handles?.includes(one.username),
      )
      return { records: [...known(ids), ...named].map(recordOf) }
    }),
    handle(accounts.accountAdminRecords, async (_ctx, _viewer, { ids }) => ({
      records: known(ids).map(adminRecordOf),
    })),
    handle(accounts.listModeratedAccounts, async (_ctx, _viewer, { filter, page }) => {
      const found = filter.ids ? known(filter.ids) : [...fixtures.fakeAccounts.values()]
      const staff = found.filter(
        (one) =>
          (!filter.staff || can(DEFAULT_ROLES[one.role ?? 'everyone'].permissions, 'manage_reports')) &&
          (!filter.usable || (!one.disabled && one.suspended === null)),
      )
      return { records: staff.slice(0, page.limit).map(adminRecordOf) }
    }),
    handle(accounts.usersByWeek, async (_ctx, _viewer, { mondays }) => ({
      weeks: mondays.map((_, n) => ({ logins: n + 1, registrations: n })),
    })),
    handle(accounts.accountDomains, async () => ({
      domains: ['b.example', 'away.example', 'a.example', 'aa.example', 'sub.blocked.example'],
    })),
    handle(accounts.domainTies, async (_ctx, _viewer, { domains }) => ({
      ties: domains.map((domain) => {
        const known = [...fixtures.fakeAccounts.values()].filter(within(domain))
        return { accounts: known.length, following: known.length, followers: 0 }
      }),
    })),
    handle(accounts.accountCounts, async () => ({
      users: 6,
      activeMonth: 4,
      activeHalfyear: 5,
      domains: 3,
      ...fixtures.accountCounts,
    })),
    handle(accounts.refusedSignUpHistory, async (_ctx, _viewer, { domains }) => ({
      histories: domains.map(() =>
        Array.from({ length: 7 }, (_, i) => ({ day: String(1_767_312_000 - i * 86_400), uses: '2', accounts: '1' })),
      ),
    })),
    handle(accounts.approveRegistration, async (_ctx, _viewer, { id, ids }) => {
      const pending = known(ids ?? [id ?? '']).filter((one) => !one.approved)
      for (const one of pending) one.approved = true
      return { changed: pending.length > 0 }
    }),
    handle(accounts.moderateAccount, async (_ctx, _viewer, { id, ids, domain, action, stamp, replaces = false }) => {
      const accountIds = ids ?? (id === undefined ? undefined : [id])
      const single = accountIds !== undefined
      const how = { single, replaces }
      const fakeAccounts = single ? known(accountIds) : [...fixtures.fakeAccounts.values()].filter(within(domain ?? ''))
      if (action === 'silence' || action === 'unsilence')
        return { changed: stamped(fakeAccounts, 'silenced', action === 'silence', stamp, how) }
      if (action === 'suspend' || action === 'unsuspend')
        return { changed: stamped(fakeAccounts, 'suspended', action === 'suspend', stamp, how) }
      if (!single || fakeAccounts.length === 0)
        throw fail('invalid', 'param is missing or the value is empty or invalid: action')
      for (const one of fakeAccounts)
        if (action === 'disable' || action === 'enable') one.disabled = action === 'disable'
        else one.sensitized = action === 'sensitive'
      return { changed: fakeAccounts.length }
    }),
  ])
}
