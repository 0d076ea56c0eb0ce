/** Local addresses are recognised in every form, foreign ones never. */
import { expect, test } from 'vitest'
import { localAccountName, localStatusId, reblogUri, statusUri, statusUrl, tagUrl } from './address.js'

const origin = 'https://here.example'

test('what is made is recognised', () => {
  expect(localStatusId(origin, statusUri(`${origin}/ap/users/7`, '42'))).toBe('42')
  expect(localStatusId(origin, statusUri(`${origin}/users/ann`, '42'))).toBe('42')
  expect(localStatusId(origin, reblogUri(`${origin}/ap/users/7`, '42'))).toBe('42')
  expect(localStatusId(origin, `${statusUrl(`${origin}/@ann`, '42')}?x=1#y`)).toBe('42')
})

test.each([
  'https://there.example/@ann/42',
  'https://here.example.evil/@ann/42',
  'https://here.example/@ann',
  'https://here.example/@ann/42/extra',
  'https://here.example/@ann/99999999999999999999',
  'http://here.example/@ann/42',
])('%s is not one of ours', (address) => {
  expect(localStatusId(origin, address)).toBeNull()
})

test('a tag of any script has a page', () => {
  expect(tagUrl(origin, '日本')).toBe('https://here.example/tags/%E6%97%A5%E6%9C%AC')
})

test('the page of somebody here is recognised, with or without what follows it', () => {
  for (const path of ['/@ann', '/@ann/', '/users/ann', '/@ann?x=1#y'])
    expect(localAccountName(origin, `${origin}${path}`)).toBe('ann')
  for (const address of ['https://there.example/@ann', `${origin}/@ann/42`, `${origin}/@ann@there.example`, origin])
    expect(localAccountName(origin, address)).toBeNull()
})
