/** Account lists of staff: filters of both API versions, and permissions for decisions. */
import { listAccountsForStaff, listAccountsForStaffV1 } from '@murmuration/contracts/admin'
import { expect, test } from 'vitest'
import { checkDecision, filterOfV1, filterOfV2 } from './rules.js'

const v1 = (input: object) => JSON.parse(JSON.stringify(filterOfV1(listAccountsForStaffV1.input.parse(input))))
const v2 = (input: object) => JSON.parse(JSON.stringify(filterOfV2(listAccountsForStaff.input.parse(input))))

test.each([
  [{}, { origin: 'local', status: 'active' }],
  [{ local: 'true' }, { origin: 'local', status: 'active' }],
  [{ active: 'true' }, { origin: 'local', status: 'active' }],
  [{ remote: 'true' }, { origin: 'remote', status: 'active' }],
  [{ remote: 'false' }, { origin: 'remote', status: 'active' }],
  [{ remote: '' }, { origin: 'local', status: 'active' }],
  [{ pending: '1' }, { origin: 'local', status: 'pending' }],
  [
    { suspended: '1', pending: '1', active: '1' },
    { origin: 'local', status: 'suspended' },
  ],
  [
    { silenced: '1', disabled: '1' },
    { origin: 'local', status: 'silenced' },
  ],
  [{ sensitized: '1' }, { origin: 'local', status: 'sensitized' }],
  [
    { remote: '1', by_domain: 'Ä.example' },
    { domain: 'xn--4ca.example', status: 'active' },
  ],
  [{ by_domain: 'a.example' }, { domain: 'a.example', origin: 'local', status: 'active' }],
  [
    { username: 'al', email: '', ip: '192.0.2.1' },
    { username: 'al', ip: '192.0.2.1', origin: 'local', status: 'active' },
  ],
  [
    { display_name: 'Al', email: 'al@mail.example' },
    { display_name: 'Al', email: 'al@mail.example', origin: 'local', status: 'active' },
  ],
  [{ ids: ['7', '8'] }, { ids: ['7', '8'], origin: 'local', status: 'active' }],
])('S-150 S-211 the older parameters %j', (input, filter) => {
  expect(v1(input)).toEqual({ staff: false, ...filter })
  expect(v1({ ...input, staff: '1' })).toEqual({ ...filter, staff: true })
})

test.each([
  [{}, {}],
  ...['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'].map((status): [object, object] => [
    { origin: 'local', status },
    { origin: 'local', status },
  ]),
  [{ origin: 'remote' }, { origin: 'remote' }],
  [
    { username: 'al', email: 'al@mail.example', ip: '192.0.2.0/24' },
    { username: 'al', email: 'al@mail.example', ip: '192.0.2.0/24' },
  ],
  [{ origin: 'remote', by_domain: 'a.example' }, { domain: 'a.example' }],
  [
    { origin: 'local', by_domain: 'a.example' },
    { origin: 'local', domain: 'a.example' },
  ],
  [{ role_ids: ['1', '-99', 'x'] }, { role_ids: ['1', '-99'] }],
  [{ role_ids: '3' }, { role_ids: ['3'] }],
  [{ role_ids: [] }, {}],
  [
    { invited_by: '5', display_name: 'Al' },
    { invited_by: '5', display_name: 'Al' },
  ],
])('S-073 S-151 S-153 the newer parameters %j', (input, filter) => {
  expect(v2(input)).toEqual({ staff: false, ...filter })
  expect(v2({ ...input, permissions: 'staff' })).toEqual({ ...filter, staff: true })
})

test.each([
  [{ origin: 'x' }, 'Unknown origin: x'],
  [{ status: 'gone' }, 'Unknown status: gone'],
])('S-151 an unknown value is refused: %j', (input, message) => {
  expect(() => v2(input)).toThrow(expect.objectContaining({ code: 'invalid', message }))
})

test.each([
  ['approve', false, null, true],
  ['approve', true, null, false],
  ['approve', null, null, false],
  ['reject', false, null, true],
  ['reject', false, 10, false],
  ['reject', false, 9, true],
] as const)('%s with approved %s and position %s', (decision, approved, position, allowed) => {
  const target = { id: '1', position, suspended_locally: false, account: { approved } } as never
  const decide = () => checkDecision({ position: 10 }, decision, target)
  if (allowed) expect(decide()).toBeUndefined()
  else expect(decide).toThrow(expect.objectContaining({ status: 403, message: 'This action is not allowed' }))
})
