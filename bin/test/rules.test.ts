/** The operator's commands about rules, and the log of what operators did, on a running service. */
import { app as admin } from '@murmuration/admin'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Flags } from '../control/command.js'
import { COMMANDS } from '../control/commands.js'
import { connectOperator, type Operator } from '../control/operator.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [admin] })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (name: string, args: string[] = [], flags: Flags = {}) => {
  const command = COMMANDS.find((one) => one.name === name)
  if (!command) throw new Error(`there is no command ${name}`)
  return command.run(operator, args, flags)
}
const listed = async () => (await ctl('rule list')).text

test('rules are written, put in order, translated and taken away; the log says so', async () => {
  expect(await listed()).toBe('There are none.')
  const { data } = await ctl('rule add', ['Be kind.'], { hint: 'To everybody' })
  const { id: kind } = data as { id: string }
  const { id: spam } = (await ctl('rule add', ['No advertisements.'])).data as { id: string }
  await ctl('rule translate', [kind, 'de', 'Sei nett.'])
  await ctl('rule translate', [kind, 'fr', 'Soyez gentils.'], { hint: 'Envers tous' })
  expect(await listed()).toBe(`${kind}  Be kind. (To everybody)  [de, fr]\n${spam}  No advertisements.`)
  await ctl('rule change', [kind, 'Be nice.'], { priority: '1000', hint: '' })
  expect(await listed()).toBe(`${spam}  No advertisements.\n${kind}  Be nice.  [de, fr]`)
  await ctl('rule remove', [spam])
  expect(await listed()).toBe(`${kind}  Be nice.  [de, fr]`)

  await expect(ctl('rule add', [' '])).rejects.toThrow("can't be blank")
  await expect(ctl('rule change', [kind], { priority: 'first' })).rejects.toThrow('priority')
  await expect(ctl('rule translate', ['1', 'de', 'x'])).rejects.toThrow('There is no rule 1.')
  await expect(ctl('rule remove', [spam])).rejects.toThrow()

  const said = (await ctl('audit-log list')).data as { id: string; actor: null; action: string; target: string }[]
  expect(said.map((one) => [one.actor, one.action]).reverse()).toEqual([
    [null, 'create_rule'],
    [null, 'create_rule'],
    ...Array.from({ length: 3 }, () => [null, 'update_rule']),
    [null, 'destroy_rule'],
  ])
  expect((await ctl('audit-log list', [], { before: said[1]?.id })).data).toEqual(said.slice(2))
})
