/** D083: all traffic is denied by default, and the policies allow exactly the connections that roles need. */
import { describe, expect, test } from 'vitest'
import { type AnySpec, keyOf, lookUp, mark, OVERLAYS, type Role, roles } from './rendered.js'

interface Peer {
  podSelector?: { matchLabels: Record<string, string> }
  namespaceSelector?: { matchLabels: Record<string, string> }
  ipBlock?: { cidr: string; except: string[] }
}
interface Rule {
  ports: { port: number; protocol: string }[]
  to?: Peer[]
  from?: Peer[]
}

/** A rule as text: `postgres:5432`, `outside:443,80`, `ingress namespace:3000`. */
const words = (rule: Rule): string => {
  if (!rule.to && !rule.from) return `anywhere:${rule.ports.map((one) => one.port).join(',')}`
  const peers = (rule.to ?? rule.from ?? []).map((peer) => {
    if (peer.ipBlock) return 'outside'
    const pod = Object.values(peer.podSelector?.matchLabels ?? {})[0]
    const namespace = Object.values(peer.namespaceSelector?.matchLabels ?? {})[0]
    return pod ?? `${namespace} namespace`
  })
  return `${[...new Set(peers)].join('+')}:${[...new Set(rule.ports.map((one) => one.port))].join(',')}`
}
const byNeed: Record<string, string> = {
  postgres: 'postgres:5432',
  nats: 'nats:4222',
  redis: 'redis-state:6379',
  'redis-cache': 'redis-cache:6379',
  blob: 'outside:443',
  internet: 'outside:443,80',
  smtp: 'outside:465,587',
}
const expectedEgress = (role: Role, more: string[], without: string[]): string[] =>
  [
    'kube-dns:53',
    ...role.needs.filter((need) => !without.includes(need)).map((need) => byNeed[need] ?? `unknown ${need}`),
    ...more,
  ].sort()

const charts = {
  small: { look: await lookUp('small'), more: [], without: ['blob'], edge: 'anywhere' },
  large: {
    look: await lookUp('large'),
    more: ['monitoring namespace:4317,4318'],
    without: [],
    edge: 'gateways namespace',
  },
}

describe.each(OVERLAYS)(`${mark}%s`, (name) => {
  const { look, more, without, edge } = charts[name]

  test('D083 traffic of every pod of the release is denied by default', () => {
    const deny = look.spec('NetworkPolicy', 'default-deny')
    expect(deny.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(deny.ingress ?? deny.egress).toBeUndefined()
    for (const object of [...look.of('Deployment'), ...look.of('Job')])
      expect((object.spec as AnySpec).template.metadata.labels).toMatchObject(deny.podSelector.matchLabels)
  })

  test.each(roles.map((role) => [keyOf(role), role] as const))('D083 connections of %s', (key, role) => {
    const policy = look.spec('NetworkPolicy', key)
    expect(policy.podSelector.matchLabels['app.kubernetes.io/component']).toBe(key)
    expect(policy.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(policy.ingress.map(words)).toEqual([
      ...(role.http ? [`${edge}:${role.http.port}`] : []),
      `monitoring namespace:${role.health}`,
    ])
    expect(policy.egress.map(words).sort()).toEqual(expectedEgress(role, more, without))
  })

  test('D083 the migrations reach DNS and PostgreSQL only', () => {
    const policy = look.spec('NetworkPolicy', 'schema-migrate')
    expect(policy.egress.map(words)).toEqual(['kube-dns:53', 'postgres:5432'])
    expect(policy.ingress).toBeUndefined()
    expect((look.of('Job')[0]!.spec as AnySpec).template.metadata.labels).toMatchObject(policy.podSelector.matchLabels)
  })

  test('the policy of the migrations exists before their job', () => {
    const [policy, job] = [look.one('NetworkPolicy', 'schema-migrate'), look.one('Job', 'migrate')]
    const [of, before] = [job.metadata.annotations ?? {}, policy.metadata.annotations ?? {}]
    expect(before['helm.sh/hook']).toBe(of['helm.sh/hook'])
    expect(Number(before['helm.sh/hook-weight'])).toBeLessThan(Number(of['helm.sh/hook-weight']))
    expect(before['helm.sh/hook-delete-policy']).toBe('before-hook-creation,hook-succeeded')
    const others = look.of('NetworkPolicy').filter((one) => one !== policy)
    expect(others.filter((one) => one.metadata.annotations?.['helm.sh/hook'])).toEqual([])
  })

  test('there is one policy for each role and no other', () => {
    const names = look.of('NetworkPolicy').map((object) => object.metadata.name.replace('murmuration-', ''))
    expect(names.sort()).toEqual([...roles.map(keyOf), 'default-deny', 'schema-migrate'].sort())
  })
})

test(`${mark}D065 D083 roles with access to the internet reach no private range`, () => {
  const rules: Rule[] = roles.flatMap((role) => charts.large.look.spec('NetworkPolicy', keyOf(role)).egress)
  const blocks = rules.flatMap((rule) => rule.to ?? []).flatMap((peer) => (peer.ipBlock ? [peer.ipBlock] : []))
  expect(blocks.length).toBeGreaterThan(0)
  for (const block of blocks)
    expect(block.except).toEqual(
      expect.arrayContaining(
        block.cidr === '::/0' ? ['fc00::/7', 'fe80::/10', '::/8'] : ['10.0.0.0/8', '169.254.0.0/16', '127.0.0.0/8'],
      ),
    )
})

test(`${mark}the edge accepts connections from any namespace by default, or from the Gateway of the overlay`, () => {
  const edge = roles.filter((role) => role.http)
  expect(edge.length).toBeGreaterThan(2)
  for (const { look } of Object.values(charts)) {
    const parents: { namespace?: string }[] = look.of('HTTPRoute').flatMap((one) => (one.spec as AnySpec).parentRefs)
    for (const role of edge) {
      const [rule] = look.spec('NetworkPolicy', keyOf(role)).ingress as Rule[]
      const admitted = rule!.from?.map((peer) => peer.namespaceSelector?.matchLabels['kubernetes.io/metadata.name'])
      for (const parent of parents.length ? parents : [{ namespace: 'ingress-nginx' }])
        expect(admitted === undefined || admitted.includes(parent.namespace)).toBe(true)
    }
  }
})

test('roles that connect to the internet declare this in their needs, and others do not', () => {
  const outside = roles.filter((role) => role.needs.includes('internet')).map(keyOf)
  expect(outside).toEqual(expect.arrayContaining(['federation-deliver', 'federation-fetch', 'notifications-push']))
  // Sign-in with a provider is a separate role, so that the other roles of accounts need no internet access.
  expect(outside.filter((key) => /^(gateway|streaming|accounts)-/.test(key))).toEqual(['accounts-identity'])
})
