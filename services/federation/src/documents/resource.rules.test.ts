/** Parsing of WebFinger resources. */
import { expect, test } from 'vitest'
import { readResource } from './resource.rules.js'

const here = {
  domains: new Set(['local.example', 'social.local.example', 'xn--mnchen-3ya.example']),
  hosts: new Set(['social.local.example', 'local.example']),
}
const account = (username: string | null, id: string | null = null) => ({ what: 'account', id, username })

test.each([
  ['acct:bob@local.example', account('bob')],
  ['bob@social.local.example', account('bob')],
  ['@Bob@LOCAL.example', account('Bob')],
  ['acct:bob@München.example', account('bob')],
  ['https://social.local.example/@bob', account('bob')],
  ['https://social.local.example/users/bob/', account('bob')],
  ['https://social.local.example/@%62ob', account('bob')],
  ['https://local.example/web/%40bob', account('bob')],
  ['HTTPS://Social.Local.example/users/bo%62', account('bob')],
  ['https://social.local.example/ap/users/%312', account(null, '12')],
  ['https://social.local.example/%61ctor', { what: 'instance' }],
  ['acct:%62ob@local.example', account('bob')],
  ['acct:bob%40local.example', account('bob')],
  ['https://social.local.example/ap/users/12', account(null, '12')],
  ['https://social.local.example/@bob@local.example', account('bob')],
  ['https://social.local.example/@Bob@social.local.example/', account('Bob')],
  ['https://social.local.example/@bob@other.example', { what: 'foreign' }],
  ['https://other.example/@bob@local.example', { what: 'foreign' }],
  ['acct:local.example@local.example', { what: 'instance' }],
  ['acct:social.local.example@local.example', { what: 'instance' }],
  ['https://social.local.example', { what: 'instance' }],
  ['https://social.local.example/actor', { what: 'instance' }],
  ['acct:bob@other.example', { what: 'foreign' }],
  ['https://other.example/@bob', { what: 'foreign' }],
  ['mailto:bob@local.example', { what: 'foreign' }],
  ['did:key:z6Mk', { what: 'foreign' }],
  ['tel:5551234', { what: 'foreign' }],
  ['tag:2026-01-01,x', { what: 'foreign' }],
  ['geo:1,2', { what: 'foreign' }],
  ['https://social.local.example/about', { what: 'foreign' }],
  ['https://social.local.example/@bob/12', { what: 'foreign' }],
  ['https://social.local.example/@b%2Fob', { what: 'foreign' }],
  ['https://other.example/@%62ob', { what: 'foreign' }],
  ['acct:b%20b@local.example', { what: 'nonsense' }],
  ['bob', { what: 'nonsense' }],
  ['', { what: 'nonsense' }],
  ['a@b@local.example', { what: 'nonsense' }],
  ['@local.example', { what: 'nonsense' }],
  ['a b@local.example', { what: 'nonsense' }],
  ['javascript:alert(1)', { what: 'nonsense' }],
  ['local.example:3000', { what: 'nonsense' }],
  [`acct:${'x'.repeat(3_000)}@local.example`, { what: 'nonsense' }],
  [['acct:bob@local.example'], { what: 'nonsense' }],
  [undefined, { what: 'nonsense' }],
])('asked for %s', (resource, asked) => {
  expect(readResource(resource, here)).toEqual(asked)
})
