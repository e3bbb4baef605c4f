import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newClone } from './clone.ts'

test('start installs what the program needs, all adds the rest, and neither does anything once it is there', async () => {
  await using clone = await newClone()
  const first = await clone.setup(['start'])
  expect(first).toMatchObject({ code: 0, stdout: '' })
  expect(first.stderr).toContain('gable: Installing 2 packages…\n')
  expect([await clone.installed('needed'), await clone.installed('checker')]).toEqual(['1.0.0', undefined])
  expect(await clone.setup(['start'])).toEqual({ code: 0, stdout: '', stderr: '' })

  expect(await clone.setup(['all'])).toMatchObject({ code: 0, stdout: '' })
  expect([await clone.installed('needed'), await clone.installed('checker')]).toEqual(['1.0.0', '1.0.0'])
  const inode = await clone.inode()
  for (const args of [[], ['all'], ['start']])
    expect(await clone.setup(args)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await clone.inode()).toBe(inode)
  expect(await clone.asked()).toEqual(['ci --omit=dev', 'ci --include=dev'])
  expect(await clone.leftovers()).toEqual([])
  const node = join(clone.path, 'node_modules/.bin/node')
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(/^v\d/)
})

test('bench installs its own packages as well, by its own lockfile', async () => {
  await using clone = await newClone()
  await mkdir(join(clone.path, 'bench'))
  await writeFile(join(clone.path, 'bench/package.json'), '{}')
  const packages = { '': {}, 'node_modules/load': { version: '2.0.0' } }
  await writeFile(join(clone.path, 'bench/package-lock.json'), JSON.stringify({ packages }))
  expect(await clone.setup(['bench'])).toMatchObject({ code: 0 })
  expect(await clone.installed('../bench/node_modules/load')).toBe('2.0.0')
  expect(await clone.setup(['bench'])).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await clone.asked()).toEqual(['ci --include=dev', 'ci --include=dev'])
})

test('an install that fails leaves what was there', async () => {
  await using clone = await newClone()
  await clone.setup(['all'])
  const inode = await clone.inode()
  await clone.lock('2.0.0')
  const failed = await clone.setup(['all'], { FAKE_NPM: 'fail' })
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toContain(
    'gable: The dependencies could not be installed (npm ci ended with status 1).',
  )
  expect([await clone.inode(), await clone.installed('needed')]).toEqual([inode, '1.0.0'])
  expect(await clone.leftovers()).toEqual([])
  expect(await clone.setup(['all'])).toMatchObject({ code: 0 })
  expect(await clone.installed('needed')).toBe('2.0.0')
})

test('a setup that is killed half way leaves what was there, and the next one removes what it left', async () => {
  await using clone = await newClone()
  await clone.setup(['all'])
  await clone.lock('2.0.0')
  const running = clone.start(['all'], { FAKE_NPM: 'hang' })
  const beside = join(clone.path, `.gable-setup-${running.pid}`)
  const npmStarted = () => stat(join(beside, 'node_modules'))
  await vi.waitFor(npmStarted, { timeout: 20_000 })
  // Its npm lives on.
  process.kill(running.pid, 'SIGKILL')
  expect(await clone.installed('needed')).toBe('1.0.0')
  expect(await clone.leftovers()).toHaveLength(2)
  expect(await clone.setup(['all'])).toMatchObject({ code: 0 })
  expect(await clone.installed('needed')).toBe('2.0.0')
  expect(await clone.leftovers()).toEqual([])
})

test('a setup that was killed between its two renames is mended by the next one, without an install', async () => {
  await using clone = await newClone()
  await clone.setup(['all'])
  const beside = join(clone.path, '.gable-setup-4000000')
  await mkdir(join(beside, 'node_modules'), { recursive: true })
  await rename(join(clone.path, 'node_modules'), join(beside, 'old'))
  expect(await clone.setup(['start'])).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await clone.installed('needed')).toBe('1.0.0')
  expect(await clone.asked()).toHaveLength(1)
  expect(await clone.leftovers()).toEqual([])
})

test('a second setup waits for the first, which says every few seconds how far it is', async () => {
  await using clone = await newClone()
  const first = clone.start(['start'], { FAKE_NPM: 'hang' })
  await vi.waitFor(async () => expect(await clone.leftovers()).toHaveLength(2), { timeout: 20_000 })
  const second = clone.start(['start'])
  await vi.waitFor(async () => expect(await clone.asked()).toHaveLength(1), { timeout: 20_000 })
  await new Promise((resolve) => setTimeout(resolve, 6000))
  const npm = execFileSync('ps', ['-o', 'pid=', '--ppid', String(first.pid)], { encoding: 'utf8' })
  process.kill(Number(npm), 'SIGKILL')
  expect((await first.ended).stderr).toMatch(/^gable: \d of 2 packages are there after 5 s\.$/m)
  expect(await second.ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(`^gable: Waiting for another setup \\(process ${first.pid}\\)`),
  })
})

test('an image that npm has built without development parts starts without npm, but tests install them', async () => {
  await using clone = await newClone()
  await clone.setup(['start'])
  await rm(join(clone.path, 'node_modules/.gable-setup'))
  const production = { NODE_ENV: 'production', FAKE_NPM: 'fail' }
  expect(await clone.setup(['start'], production)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await clone.setup(['all'], production)).toMatchObject({ code: 1 })
  expect(await clone.setup(['all'], { NODE_ENV: 'production' })).toMatchObject({ code: 0 })
  expect(await clone.installed('checker')).toBe('1.0.0')
})

test('what npm has changed since is compared again', async () => {
  await using clone = await newClone()
  await clone.setup(['all'])
  const record = join(clone.path, 'node_modules/.package-lock.json')
  const { packages } = JSON.parse(await readFile(record, 'utf8')) as { packages: Record<string, unknown> }
  delete packages['node_modules/checker']
  await writeFile(record, JSON.stringify({ packages }))
  const later = new Date(Date.now() + 2000)
  await utimes(record, later, later)
  expect(await clone.setup(['start'])).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await clone.asked()).toHaveLength(1)
  expect(await clone.setup(['all'])).toMatchObject({ code: 0 })
  expect(await clone.asked()).toHaveLength(2)
})

test('where install scripts are blocked, the Node.js that runs the setup serves, even if it is of the old node_modules', async () => {
  await using clone = await newClone()
  expect(await clone.setup(['start'], { FAKE_NPM: 'bare' })).toMatchObject({ code: 0 })
  const node = join(clone.path, 'node_modules/.bin/node')
  const binary = join(clone.path, 'node_modules/node/bin/node')
  await rm(binary)
  await cp(process.execPath, binary)
  await clone.lock('2.0.0')
  const bare = { PATH: `${join(clone.path, 'npm')}:${process.env['PATH']}`, FAKE_NPM: 'bare' }
  const env = { ...bare, FAKE_NPM_LOG: join(clone.path, 'asked.log') }
  execFileSync(node, [join(clone.path, 'bin/setup.js'), 'start'], { env, stdio: 'pipe' })
  expect(await clone.installed('needed')).toBe('2.0.0')
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toBe(`${process.version}\n`)
})

test.for([[['stop']], [['start', 'all']], [['--fast']]])('rejects the arguments %j', async ([args = []]) => {
  await using clone = await newClone()
  expect(await clone.setup(args)).toMatchObject({ code: 1, stdout: '' })
  expect(await clone.asked()).toEqual([])
})
