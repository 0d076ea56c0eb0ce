/** Forms of staff pages in a wrong order: sent twice, after the state changed, and by accounts that may not send them; and all undos of that. */
import { browseAuditLog, STAFF_PREFIX, verifyAuditLog } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import type { Form } from '@murmuration/testkit/browser/page'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encoded, type HostileStaff, kindOf, startHostileStaff } from './hostile-staff.js'

let server: HostileStaff
beforeAll(async () => {
  server = await startHostileStaff()
})
afterAll(() => server.stop())

/** Each form of the pages once, with one body for each of its buttons. */
const submissions = async (): Promise<{ path: string; bodies: string[] }[]> => {
  const done = new Set<string>()
  const bodiesOf = ({ fields, buttons }: Form): string[] => {
    const own = fields
      .filter(({ type, checked }) => !/^(checkbox|radio)$/.test(type) || checked)
      // Without its id, a form that is sent twice is carried out twice, like the same form of two pages.
      .filter(({ name }) => name !== 'form_id')
      .map(({ name, value }): [string, string] => [name, value])
    const confirmed: [string, string][] = fields.some(({ name }) => name === 'sure') ? [['sure', '1']] : []
    return buttons.map(({ name, value }) =>
      encoded([...own, ...confirmed, ...(name ? [[name, value] as [string, string]] : [])]),
    )
  }
  return [...(await server.crawl()).values()].flatMap(({ forms }) =>
    forms.flatMap((form) => {
      const path = new URL(form.action).pathname
      const kind = `${kindOf(path)} ${form.buttons.map((one) => one.value)}`
      if (form.method !== 'POST' || form.encoding === 'multipart/form-data' || !path.startsWith('/admin')) return []
      if (done.has(kind)) return []
      done.add(kind)
      return [{ path, bodies: bodiesOf(form) }]
    }),
  )
}

const written = async () => {
  const { items } = { items: await server.db('admin').rows(sql`select id, action from audit_log order by seq`) }
  return items
}

test('S-175 no form of staff pages is accepted from roles without its permission', async () => {
  await server.http(`${STAFF_PREFIX}/roles`, {
    token: server.token,
    json: { name: 'Looks', position: 3, permissions: ['view_dashboard'] },
  })
  await server.make('looker', 'Looks')
  await server.make('nobody')
  const all = await submissions()
  expect(all.length).toBeGreaterThan(30)
  await server.waitForIdle()
  const before = await written()
  const found: string[] = []
  for (const name of ['looker', 'nobody']) {
    const by = await server.signIn(name)
    const page = await server.open(by, '/settings/preferences')
    const proof = page.forms.flatMap((one) => one.fields).find((one) => one.name === 'authenticity_token')?.value ?? ''
    for (const { path, bodies } of all)
      for (const body of bodies) {
        const own = new URLSearchParams(body)
        own.set('authenticity_token', proof)
        const { status } = await server.post(path, own.toString(), by)
        // A bulk action on nothing only redirects.
        const isEmpty = path === '/admin/bulk_actions/confirm' && status === 303
        if (status !== 403 && status !== 404 && !isEmpty) found.push(`${status} ${name} ${path} ${own}`.slice(0, 300))
      }
  }
  await server.waitForIdle()
  expect(found).toEqual([])
  expect(await written()).toEqual(before)
})

test('forms that are sent twice at the same time, and again afterwards, never give a 5xx status', async () => {
  const found: string[] = []
  let count = 0
  for (const { path, bodies } of await submissions())
    for (const body of bodies) {
      const answers = await Promise.all([server.post(path, body), server.post(path, body), server.post(path, body)])
      answers.push(await server.post(path, body))
      count += answers.length
      for (const { status } of answers) if (status >= 500) found.push(`${status} ${path} ${body}`.slice(0, 300))
    }
  expect(count).toBeGreaterThan(200)
  expect(found).toEqual([])
  await server.waitForIdle()
  expect(await server.call(verifyAuditLog, {})).toMatchObject({ problem: null })
})

test('of simultaneous undos of each entry at most one takes effect, and an undo of a changed target is refused', async () => {
  const entries = (await server.call(browseAuditLog, { limit: 200 } as never, server.owner)) as unknown as {
    id: string
    action: string
    undoes: string | null
  }[]
  const found: string[] = []
  const outcomes = new Map<string, number>()
  for (const { id, action } of entries) {
    const undo = () =>
      server.http(`${STAFF_PREFIX}/audit_log/${id}/undo`, { token: server.token, json: { reason: 'test' } })
    const answers = [...(await Promise.all([undo(), undo(), undo()])), await undo()].map((one) => one.status)
    for (const status of answers) outcomes.set(`${status}`, (outcomes.get(`${status}`) ?? 0) + 1)
    if (answers.some((status) => ![200, 403, 409, 422].includes(status))) found.push(`${answers} ${action} ${id}`)
    if (answers.filter((status) => status === 200).length > 1) found.push(`${answers} ${action} ${id} undone twice`)
  }
  expect(outcomes.get('200')).toBeGreaterThan(60)
  expect(found).toEqual([])
  await server.waitForIdle()
  expect(await server.call(verifyAuditLog, {})).toMatchObject({ problem: null })
  expect(await server.db('admin').rows(sql`select entry_id from audit_undos where undo_entry_id is null`)).toEqual([])
  expect(
    await server
      .db('admin')
      .rows(sql`select undoes from audit_log where undoes is not null group by undoes having count(*) > 1`),
  ).toEqual([])
})

interface Announced {
  id: string
  text: string
  scheduled_at: string | null
  published_at: string | null
}

test('announcements with impossible times are refused, and an edit publishes or withdraws nothing by accident', async () => {
  const path = `${STAFF_PREFIX}/announcements`
  const request = async (method: string, address: string, json: object) => {
    const answer = await server.http(address, { method, token: server.token, json })
    return { status: answer.status, ...answer.json<Announced>() }
  }
  const day = (n: number, rest = 'T10:00:00Z') => `2999-01-0${n}${rest}`
  for (const wrong of [
    { starts_at: day(2), ends_at: day(1) },
    { starts_at: day(2) },
    { ends_at: day(2) },
    { all_day: true },
    { starts_at: '2026-02-31T10:00:00Z', ends_at: day(2) },
    { starts_at: '2026-13-01T10:00:00Z', ends_at: day(2) },
    { starts_at: 'tomorrow', ends_at: day(2) },
    { scheduled_at: '+012345-01-01T00:00:00Z' },
    { scheduled_at: '2026-01-01' },
    { scheduled_at: ['2999-01-01T00:00:00Z', 'x'] },
    { text: ' ' },
    { text: 'x'.repeat(10_001) },
  ])
    expect([wrong, (await request('POST', path, { text: 'wrong', ...wrong })).status]).toEqual([wrong, 422])
  for (const odd of [
    { starts_at: '0000-01-01T00:00:00Z', ends_at: '0000-01-01T00:00:00Z' },
    { starts_at: '0001-01-01T00:00:00Z', ends_at: '9999-12-31T23:59:59Z', all_day: true },
    { starts_at: '2026-01-01T23:59:59.999+14:00', ends_at: '2999-01-01T00:00:00-23:59' },
  ])
    expect([odd, (await request('POST', path, { text: 'odd', ...odd })).status < 500]).toEqual([odd, true])
  for (const one of ['/admin/announcements', '/home']) expect((await server.open(server.boss, one)).status).toBe(200)
  expect((await server.http('/api/v1/announcements', { token: server.token })).status).toBe(200)
  const past = await request('POST', path, { text: 'past', scheduled_at: '2001-01-01T00:00:00Z' })
  expect(past).toMatchObject({ status: 200, scheduled_at: null, published_at: expect.any(String) })
  const later = await request('POST', path, { text: 'later', scheduled_at: day(1) })
  const form = async (id: string, pairs: Record<string, string>) => {
    const page = await server.open(server.boss, `/admin/announcements/${id}`)
    const found = page.forms.find((one) => one.buttons.some((each) => each.value === 'save'))
    const fields = (found?.fields ?? [])
      .filter(({ type, checked }) => type !== 'checkbox' || checked)
      .map(({ name, value }): [string, string] => [name, value])
    return { ...Object.fromEntries(fields), do: 'save', ...pairs }
  }
  const submit = async (id: string, fields: Record<string, string>) => {
    const { status } = await server.post(`/admin/announcements/${id}`, encoded(Object.entries(fields)))
    const all = (await server.http(path, { token: server.token })).json<{ announcements: Announced[] }>()
    return { status, ...all.announcements.find((one) => one.id === id) }
  }
  // An edit of the text keeps the schedule.
  expect(await submit(later.id, await form(later.id, { text: 'later still' }))).toMatchObject({
    status: 303,
    text: 'later still',
    scheduled_at: '2999-01-01T10:00:00.000Z',
    published_at: null,
  })
  // The form was opened before the publication, so its time no longer applies.
  const stale = await form(later.id, { text: 'stale' })
  await request('PUT', `${path}/${later.id}`, { published: true })
  expect(await submit(later.id, stale)).toMatchObject({ scheduled_at: null, published_at: expect.any(String) })
  expect((await request('PUT', `${path}/${later.id}`, { scheduled_at: day(3) })).status).toBe(422)
  // A withdrawn announcement stays withdrawn when its text is changed.
  const open = await form(later.id, { text: 'changed' })
  await request('PUT', `${path}/${later.id}`, { published: false })
  expect(await submit(later.id, await form(later.id, { text: 'withdrawn' }))).toMatchObject({
    status: 303,
    published_at: null,
  })
  expect(await submit(later.id, open)).toMatchObject({
    status: 303,
    text: 'changed',
    published_at: null,
    scheduled_at: null,
  })
})
