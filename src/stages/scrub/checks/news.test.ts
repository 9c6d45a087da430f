import { expect, test } from 'vitest'

import { createNews } from './news.ts'

const named = (value: string) => ({ value, rule: 'r' })

test('each reader gets what came since its last request', () => {
  const news = createNews()
  for (const value of ['a', 'b']) news.add(named(value))
  const first = news.since(0)
  expect(first.news).toEqual([named('a'), named('b')])
  news.add(named('c'))
  expect(news.since(first.mark).news).toEqual([named('c')])
  expect(news.since(0).news).toHaveLength(3)
  expect(news.count()).toBe(3)
})

test('the oldest are dropped, and late readers get the rest', () => {
  const news = createNews(10)
  const early = news.since(0).mark
  for (let n = 0; n < 20; n++) news.add(named(String(n)))
  const { news: told, mark } = news.since(early)
  expect(told.map(({ value }) => value)).toEqual(['10', '11', '12', '13', '14', '15', '16', '17', '18', '19'])
  news.add(named('0'))
  expect(news.since(mark).news).toEqual([named('0')])
  expect(news.count()).toBe(21)
})
