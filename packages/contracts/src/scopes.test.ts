/** The hierarchy of scopes, their aliases, and the access of tokens with them. */
import { describe, expect, test } from 'vitest'
import { expandScopes, parseScopes, SCOPES, scopeAllows, scopesWithin, validScopes } from './scopes.js'

const startingWith = (prefix: string) => SCOPES.filter((scope) => scope.startsWith(prefix))

describe('published scopes', () => {
  test('have the order of the upstream API', () => {
    const order = SCOPES.filter((scope) => !/^(admin:)?(read|write):/.test(scope))
    expect(order).toEqual(['read', 'profile', 'write', 'follow', 'push', 'admin:read', 'admin:write'])
    expect(SCOPES.indexOf('write:accounts')).toBe(SCOPES.indexOf('write') + 1)
    expect(SCOPES.indexOf('read:accounts')).toBe(SCOPES.indexOf('write:statuses') + 1)
    expect(SCOPES.indexOf('follow')).toBe(SCOPES.indexOf('read:statuses') + 1)
    expect(SCOPES.indexOf('admin:read:accounts')).toBe(SCOPES.indexOf('admin:read') + 1)
    expect(SCOPES.at(-1)).toBe('admin:write:canonical_email_blocks')
  })

  test('are complete and unique', () => {
    expect(startingWith('read:')).toHaveLength(12)
    expect(startingWith('write:')).toHaveLength(14)
    expect(startingWith('admin:read:')).toHaveLength(7)
    expect(startingWith('admin:write:')).toHaveLength(7)
    expect(new Set(SCOPES).size).toBe(47)
  })

  test.each(['admin', 'read:reports', 'crypto', 'read:me', '__proto__', 'toString'])('%s is not among them', (name) => {
    expect(SCOPES).not.toContain(name)
  })
})

describe('expandScopes', () => {
  test.each([
    ['read', ['read', ...startingWith('read:')]],
    ['write', ['write', ...startingWith('write:')]],
    ['admin:read', ['admin:read', ...startingWith('admin:read:')]],
    ['admin:write', ['admin:write', ...startingWith('admin:write:')]],
    ['profile', ['profile']],
    ['push', ['push']],
    ['write:media', ['write:media']],
  ])('%s grants its children and nothing else', (granted, all) => {
    expect(expandScopes([granted])).toEqual(all)
  })

  test('S-169 read:me is an alias of profile', () => {
    expect(expandScopes(['read:me'])).toEqual(['profile'])
  })

  test('S-170 follow behaves like its six granular scopes', () => {
    const six = ['read:blocks', 'read:follows', 'read:mutes', 'write:blocks', 'write:follows', 'write:mutes']
    expect(expandScopes(['follow']).sort()).toEqual(['follow', ...six])
  })

  test.each(['admin', 'crypto', 'READ', '', '__proto__', 'constructor'])('%j grants nothing', (name) => {
    expect(expandScopes([name])).toEqual([])
  })
})

describe('scopeAllows', () => {
  const alternatives = ['read', 'read:accounts']
  test.each([
    [['read'], alternatives, true],
    [['read:accounts'], alternatives, true],
    [['read'], ['read:accounts'], true],
    [['read:accounts'], ['read'], false],
    [['read:statuses'], alternatives, false],
    [['write'], alternatives, false],
    [['read', 'push'], ['push'], true],
    [['admin:read', 'admin:write'], ['read', 'write', 'read:accounts', 'write:accounts'], false],
    [['admin:write'], ['admin:write:reports'], true],
    [['admin:write:accounts'], ['admin:write:reports'], false],
    [['follow'], ['write', 'write:follows', 'follow'], true],
    [['write:follows'], ['follow'], false],
    [['follow'], ['read:statuses'], false],
    [[], ['read'], false],
    [['crypto'], ['crypto'], false],
    [[], [], true],
  ])('%j for any of %j: %s', (granted, anyOf, allowed) => {
    expect(scopeAllows(granted, anyOf)).toBe(allowed)
  })

  test.each(['profile', 'read:me'])('S-171 %s allows verify_credentials, profile and userinfo only', (granted) => {
    expect(scopeAllows([granted], ['profile', 'read', 'read:accounts'])).toBe(true)
    expect(scopeAllows([granted], ['profile'])).toBe(true)
    expect(SCOPES.filter((scope) => scope !== 'profile' && scopeAllows([granted], [scope]))).toEqual([])
  })

  test('read does not allow userinfo, which requires profile', () => {
    expect(scopeAllows(['read', 'write', 'read:accounts'], ['profile'])).toBe(false)
  })
})

describe('requested scopes', () => {
  test('S-172 every name must be known', () => {
    expect(validScopes([...SCOPES, 'read:me'])).toBe(true)
    expect(validScopes(['read', 'admin'])).toBe(false)
    expect(validScopes(['hasOwnProperty'])).toBe(false)
    expect(validScopes([])).toBe(false)
  })

  test('the text form is split at spaces and plus signs', () => {
    expect(parseScopes(' read  write+push\nread ')).toEqual(['read', 'write', 'push'])
    expect(parseScopes('')).toEqual([])
  })

  test.each([
    [['read'], ['read', 'write'], true],
    [['read:accounts'], ['read'], false],
    [['read:accounts'], ['read:accounts', 'push'], true],
    [['read', 'push'], ['read'], false],
    [['read:me'], ['profile'], true],
    [['profile'], ['read:me'], true],
    [['crypto'], ['crypto'], false],
    [[], ['read'], false],
  ])('S-172 %j within %j: %s', (requested, held, within) => {
    expect(scopesWithin(requested, held)).toBe(within)
  })
})
