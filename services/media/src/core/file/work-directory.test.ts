/** Tests of work directories: private, deleted after use, deleted if their process ended, and clear about full disks. */
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkDirectories, readHead } from './work-directory.js'

let parent: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'work-directory-test-'))
})
afterAll(() => rm(parent, { recursive: true }))

test('each use has its own private directory, which is deleted even after an error', async () => {
  const workDirectories = createWorkDirectories(parent)
  const seen = await Promise.all(
    [1, 2].map(() =>
      workDirectories.use(async (dir) => {
        await writeFile(join(dir, 'in'), 'hello')
        expect((await stat(dir)).mode & 0o077).toBe(0)
        expect((await readHead(join(dir, 'in'), 4)).toString()).toBe('hell')
        return dir
      }),
    ),
  )
  expect(new Set(seen).size).toBe(2)
  await expect(
    workDirectories.use(async () => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const [root = ''] = await readdir(parent)
  expect(await readdir(join(parent, root))).toEqual([])
  await workDirectories.close()
  expect(await readdir(parent)).toEqual([])
})

test('F008 directories of ended processes are deleted, those of running ones are not', async () => {
  const workDirectories = createWorkDirectories(parent)
  const host = hostname().replaceAll(/[^\w-]/g, '_')
  const folder = async (name: string, age = 0) => {
    await mkdir(join(parent, name, 'job-1'), { recursive: true })
    const at = new Date(Date.now() - age)
    await utimes(join(parent, name), at, at)
  }
  await folder(`murmuration-media-${host}-999999999-dead`)
  await folder(`murmuration-media-${host}-${process.pid}-before`)
  await folder(`murmuration-media-${host}-1-living`)
  await folder('murmuration-media-elsewhere-5-living')
  await folder('murmuration-media-elsewhere-5-silent', 3_600_000)
  await folder('of-somebody-else', 3_600_000)
  await workDirectories.use(async (dir) => {
    expect(await workDirectories.sweep()).toBe(3)
    expect((await stat(dir)).isDirectory()).toBe(true)
  })
  expect((await readdir(parent)).filter((name) => !name.includes(`-${process.pid}-`)).sort()).toEqual([
    'murmuration-media-elsewhere-5-living',
    `murmuration-media-${host}-1-living`,
    'of-somebody-else',
  ])
  await workDirectories.close()
})

test('F075 a full disk causes the error no_space', async () => {
  const workDirectories = createWorkDirectories(parent)
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
  await expect(workDirectories.use(() => Promise.reject(full))).rejects.toMatchObject({ code: 'no_space', status: 507 })
  await workDirectories.close()
})
