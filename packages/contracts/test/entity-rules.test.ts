/** Rules of entities beyond their members: nesting, closed sets, and members that exclude each other. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as entities from '../src/entities/index.js'
import { account, movedAccount } from './examples/account.js'
import { notificationCases } from './examples/notification.js'
import { nodeInfo } from './examples/server.js'
import { filter, filterResult, quote, quotedStatus, shallowQuote, status, v1Filter } from './examples/status.js'

const accepts = (schema: z.ZodType, value: unknown) => z.safeParse(schema, value).success

describe('nesting', () => {
  test('the account that another one moved to contains no move of its own', () => {
    const chain = { ...account, moved: { ...movedAccount, moved: movedAccount } }
    expect(accepts(entities.Account, chain)).toBe(false)
  })

  test('the own account does not contain limited', () => {
    expect(Object.keys(entities.CredentialAccount.shape)).not.toContain('limited')
    expect(Object.keys(entities.CredentialAccount.shape)).not.toContain('suspended')
  })

  test('a reblog contains an original, never another reblog', () => {
    expect(accepts(entities.Status, { ...status, reblog: { ...status.reblog, reblog: status.reblog } })).toBe(false)
  })

  test('quotes are nested one level', () => {
    expect(accepts(entities.Quote, { ...quote, quoted_status: { ...quotedStatus, quote } })).toBe(false)
    expect(accepts(entities.Quote, { ...quote, quoted_status: { ...quotedStatus, quote: shallowQuote } })).toBe(true)
  })

  test.each(['pending', 'rejected', 'revoked', 'deleted', 'unauthorized'])(
    'a quote that is %s shows nothing',
    (state) => {
      expect(accepts(entities.Quote, { ...quote, state })).toBe(false)
      expect(accepts(entities.Quote, { state, quoted_status: null })).toBe(true)
    },
  )

  test.each(['accepted', 'blocked_account', 'blocked_domain', 'muted_account'])(
    'a quote that is %s is sent',
    (state) => {
      expect(accepts(entities.Quote, { ...quote, state })).toBe(true)
      expect(accepts(entities.Quote, { state, quoted_status: null })).toBe(false)
    },
  )
})

describe('statuses without a viewer', () => {
  test('S-049 flags of the viewer may be absent, and filter_results is no member', () => {
    const { favourited, reblogged, muted, bookmarked, filtered, pinned, ...anonymous } = status
    expect([favourited, reblogged, muted, bookmarked, filtered, pinned]).not.toContain(undefined)
    expect(accepts(entities.Status, anonymous)).toBe(true)
    expect(accepts(entities.Status, { ...anonymous, filter_results: [] })).toBe(false)
  })

  test('only a deleted status has a source text, and it has no content', () => {
    expect(accepts(entities.Status, { ...status, text: 'Hi' })).toBe(false)
    expect(accepts(entities.DeletedStatus, { ...status, text: 'Hi' })).toBe(false)
  })
})

describe('filters', () => {
  test.each(['warn', 'hide', 'blur'])('S-047 the action can be %s', (filter_action) => {
    expect(accepts(entities.Filter, { ...filter, filter_action })).toBe(true)
  })

  test('S-047 S-053 other actions and contexts are refused', () => {
    expect(accepts(entities.Filter, { ...filter, filter_action: 'drop' })).toBe(false)
    expect(accepts(entities.Filter, { ...filter, context: ['profile'] })).toBe(false)
    expect(accepts(entities.Filter, { ...filter, context: [] })).toBe(false)
  })

  test('S-051 a match contains its filter without keywords, and statuses by id', () => {
    expect(accepts(entities.FilterResult, { ...filterResult, filter })).toBe(false)
    expect(accepts(entities.FilterResult, { ...filterResult, keyword_matches: null, status_matches: ['3'] })).toBe(true)
  })

  test('S-052 the form of API v1 requires irreversible and whole_word', () => {
    const { irreversible, ...without } = v1Filter
    expect(irreversible).toBe(false)
    expect(accepts(entities.V1Filter, without)).toBe(false)
  })
})

describe('notifications', () => {
  test('S-071 there are 17 types, and each is a push alert', () => {
    expect([...entities.NotificationType.options].sort()).toEqual(
      [
        ...['mention', 'status', 'reblog', 'follow', 'follow_request', 'favourite', 'poll', 'update'],
        ...['quote', 'quoted_update', 'severed_relationships', 'moderation_warning', 'annual_report'],
        ...['admin.sign_up', 'admin.report', 'added_to_collection', 'collection_update'],
      ].sort(),
    )
    const alerts = Object.fromEntries(entities.NotificationType.options.map((type) => [type, true]))
    expect(accepts(entities.PushAlerts, alerts)).toBe(true)
    expect(accepts(entities.PushAlerts, { ...alerts, post: true })).toBe(false)
  })

  test('every type has one shape of notifications and one of groups', () => {
    const typesOf = (schema: z.ZodDiscriminatedUnion) =>
      schema.options.flatMap((option) => {
        const { type } = (option as z.ZodObject).shape
        return type instanceof z.ZodEnum ? type.options : [...(type as z.ZodLiteral).values]
      })
    const all = [...entities.NotificationType.options].sort()
    expect(typesOf(entities.Notification).sort()).toEqual(all)
    expect(typesOf(entities.NotificationGroup).sort()).toEqual(all)
  })

  test('a notification of a type without a status cannot contain one', () => {
    const follow = notificationCases.find(([name, one]) => name === 'Notification' && one.type === 'follow')?.[1]
    expect(accepts(entities.Notification, follow)).toBe(true)
    expect(accepts(entities.Notification, { ...follow, status })).toBe(false)
  })

  test('S-055 a push subscription has one of four policies', () => {
    expect(entities.PushPolicy.options).toEqual(['all', 'followed', 'follower', 'none'])
  })
})

describe('NodeInfo', () => {
  const changed = (change: Record<string, unknown>) => accepts(entities.NodeInfo, { ...nodeInfo, ...change })

  test('S-029 S-030 only version 2.0 with its seven members is valid', () => {
    expect(changed({})).toBe(true)
    expect(changed({ version: '2.1' })).toBe(false)
    expect(changed({ instance: {} })).toBe(false)
  })

  test('S-031 the software has a plain name and a version', () => {
    expect(changed({ software: { name: 'Murmuration', version: '1' } })).toBe(false)
    expect(changed({ software: { name: 'murmuration' } })).toBe(false)
    expect(changed({ software: { ...nodeInfo.software, repository: 'https://code.example' } })).toBe(false)
  })

  test('S-032 at least one protocol out of ten', () => {
    expect(changed({ protocols: [] })).toBe(false)
    expect(changed({ protocols: ['smtp'] })).toBe(false)
    const known = 'activitypub buddycloud dfrn diaspora libertree ostatus pumpio tent xmpp zot'
    expect([...entities.NodeInfo.shape.protocols.element.options].sort()).toEqual(known.split(' '))
  })

  test('S-033 S-034 S-035 services come from closed sets of 8 and 28', () => {
    const { inbound, outbound } = entities.NodeInfo.shape.services.shape
    const known = {
      inbound: 'atom1.0 gnusocial imap pnut pop3 pumpio rss2.0 twitter',
      outbound:
        'atom1.0 blogger buddycloud diaspora dreamwidth drupal facebook friendica gnusocial google insanejournal libertree linkedin livejournal mediagoblin myspace pinterest pnut posterous pumpio redmatrix rss2.0 smtp tent tumblr twitter wordpress xmpp',
    }
    expect([...inbound.element.options].sort()).toEqual(known.inbound.split(' '))
    expect([...outbound.element.options].sort()).toEqual(known.outbound.split(' '))
    expect(changed({ services: { inbound: ['xmpp'], outbound: [] } })).toBe(false)
    expect(changed({ services: { inbound: [] } })).toBe(false)
    expect(changed({ services: { outbound: [] } })).toBe(false)
    expect(changed({ services: { inbound: [], outbound: [], both: [] } })).toBe(false)
  })

  test('S-036 S-037 S-038 S-043 usage has no other members, and its numbers are optional', () => {
    expect(changed({ openRegistrations: 'yes' })).toBe(false)
    expect(changed({ usage: { users: {} } })).toBe(true)
    expect(changed({ usage: { localPosts: 1 } })).toBe(false)
    expect(changed({ openRegistrations: undefined })).toBe(false)
    expect(changed({ usage: { users: {}, localPosts: 1, localComments: 0 } })).toBe(true)
    expect(changed({ usage: { users: {}, localLikes: 1 } })).toBe(false)
    for (const name of ['total', 'activeHalfyear', 'activeMonth'])
      for (const wrong of [-1, 0.5]) expect(changed({ usage: { users: { [name]: wrong } } })).toBe(false)
    expect(changed({ usage: { users: { total: 1, activeWeek: 1 } } })).toBe(false)
  })

  test('S-044 metadata is required, with any members', () => {
    expect(changed({ metadata: { anything: [1] } })).toBe(true)
    expect(changed({ metadata: undefined })).toBe(false)
  })
})

describe('streaming', () => {
  test('a message contains the name and the parameter of its stream', () => {
    expect(accepts(entities.StreamMessage, { stream: ['user'], event: 'filters_changed' })).toBe(true)
    expect(accepts(entities.StreamMessage, { stream: ['list', '3'], event: 'delete', payload: '1' })).toBe(true)
    expect(accepts(entities.StreamMessage, { stream: ['list'], event: 'delete', payload: '1' })).toBe(false)
    expect(accepts(entities.StreamMessage, { stream: ['user', '3'], event: 'delete', payload: '1' })).toBe(false)
    expect(accepts(entities.StreamMessage, { stream: ['user'], event: 'update', payload: {} })).toBe(false)
  })

  test('a command may have further members', () => {
    expect(accepts(entities.StreamCommand, { type: 'subscribe', stream: ['user', 'x'], since: '4' })).toBe(true)
    expect(accepts(entities.StreamCommand, { type: 'shout', stream: 'user' })).toBe(false)
  })
})
