/** What a service says of itself now, however often it is asked: whoever scrapes fast is given the last text else (decision 165). */
export async function scrape(internalUrl: string): Promise<string> {
  return (await fetch(`${internalUrl}/metrics`, { headers: { 'cache-control': 'no-cache' } })).text();
}
