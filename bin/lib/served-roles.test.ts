/** Arguments of `serve`. */
import { describe, expect, test } from 'vitest'
import { loadApp, SERVICES } from '../services.js'
import { servedRoles } from './served-roles.js'

const rolesOf = async (service: string) => Object.keys((await loadApp(service)).manifest.roles)
const read = (...words: string[]) => servedRoles(words, SERVICES, rolesOf)
const refusal = (...words: string[]) => read(...words).then(String, (error: Error) => error.message)

test('service:role is one role of the service', async () => {
  for (const service of SERVICES)
    for (const role of await rolesOf(service))
      expect(await read(`${service}:${role}`)).toEqual([{ service, roles: [role] }])
})

test('one argument can have several roles of a service', async () => {
  expect(await read('statuses:api,reactor', 'admin')).toEqual([
    { service: 'statuses', roles: ['api', 'reactor'] },
    { service: 'admin' },
  ])
})

test('names without a role mean all roles of the services, in any order', async () => {
  const words = ['gateway', 'streaming', 'accounts', 'statuses', 'notifications', 'federation', 'media', 'admin']
  expect(await read(...words)).toEqual(words.map((service) => ({ service })))
})

describe('a one-line error refuses', () => {
  test.each<[what: string, words: string[], line: RegExp]>([
    ['no word', [], /^Usage: serve <service>\[:<role>/],
    ['an unknown service', ['gatway'], /^There is no service "gatway": the services are gateway, /],
    ['a role without its service', ['fanout'], /^There is no service "fanout"/],
    [
      'a role after its service',
      ['statuses', 'fanout'],
      /"fanout": a role is written with its service, statuses:fanout\.$/,
    ],
    [
      'a role that is a service as well',
      ['gateway', 'federation'],
      /is ambiguous: write gateway:federation for the role, /,
    ],
    ['an unknown role', ['statuses:fan-out'], /^statuses has no role "fan-out": its roles are api, /],
    ['an empty role', ['statuses:'], /^"statuses:" names no role: write statuses:<role>/],
    ['a role of a role', ['statuses:api:reactor'], /names no role/],
    ['a service twice', ['statuses:api', 'statuses:fanout'], /^statuses is named twice/],
  ])('%s', async (_what, words, line) => {
    const message = await refusal(...words)
    expect(message).toMatch(line)
    expect(message).not.toContain('\n')
  })
})

test('the error about an ambiguous name contains valid arguments', async () => {
  const message = await refusal('gateway', 'federation')
  const [, role = '', both = ''] = /write (\S+) for the role, (.+) for both services/.exec(message) ?? []
  expect(await read(role)).toEqual([{ service: 'gateway', roles: ['federation'] }])
  expect(await read(...both.split(' '))).toEqual([
    { service: 'gateway', roles: ['client', 'federation'] },
    { service: 'federation' },
  ])
})
