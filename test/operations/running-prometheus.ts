import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../support/source-files.ts';
import { until } from '../support/until.ts';

export type Sample = { readonly metric: Readonly<Record<string, string>>; readonly value: number };
export type Rule = { readonly name: string; readonly health: string; readonly lastError?: string; readonly state?: string };

export type RunningPrometheus = {
  /** Instant query, now. */
  query(expr: string): Promise<readonly Sample[]>;
  rules(): Promise<readonly Rule[]>;
  /** From now on an alert fires when its condition has held for this long, whatever its rule says: for tests that do not wait for minutes. */
  hurry(alert: string, duration: string): Promise<void>;
  stop(): Promise<void>;
};

const UP_MS = 120_000;

/** Starts a Prometheus with the project's own configuration and rules, against one target, with scrapes and evaluations every second. */
export async function startPrometheus(port: number, target: string): Promise<RunningPrometheus> {
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-prometheus-'));
  const rules = path.join(folder, 'rules');
  cpSync(path.join(ROOT, 'grafana/prometheus/rules'), rules, { recursive: true });
  const own = readFileSync(path.join(ROOT, 'grafana/prometheus/prometheus.yml'), 'utf8');
  const config = own
    .replace('braid:9090', target)
    .replace('rules/*.yml', path.join(rules, '*.yml'))
    .replace(/(scrape_interval|evaluation_interval|scrape_timeout): \d+s/g, '$1: 1s');
  const file = path.join(folder, 'prometheus.yml');
  writeFileSync(file, config);
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=warn'];
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const base = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGTERM');
    await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  const isUp = () =>
    fetch(`${base}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await until(isUp, UP_MS))) {
    await stop();
    throw new Error(`Prometheus did not come up: ${said}`);
  }
  const ask = async (url: string): Promise<unknown> => {
    const { status, data, error } = (await (await fetch(`${base}${url}`)).json()) as { status: string; data: unknown; error?: string };
    if (status !== 'success') throw new Error(`${url}: ${error}`);
    return data;
  };
  return {
    async query(expr) {
      const data = (await ask(`/api/v1/query?query=${encodeURIComponent(expr)}`)) as { result: { metric: Record<string, string>; value: [number, string] }[] };
      return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    async rules() {
      const { groups } = (await ask('/api/v1/rules')) as { groups: { rules: Rule[] }[] };
      return groups.flatMap(({ rules }) => rules);
    },
    async hurry(alert, duration) {
      const alerts = path.join(rules, 'alerts.yml');
      const text = readFileSync(alerts, 'utf8');
      const block = new RegExp(`(- alert: ${alert}\\n(?:(?! *- alert:).*\\n)*? +for: )\\w+`);
      if (!block.test(text)) throw new Error(`${alert} waits for nothing`);
      writeFileSync(alerts, text.replace(block, `$1${duration}`));
      child.kill('SIGHUP');
      const loaded = async () => {
        const { groups } = (await ask('/api/v1/rules?type=alert')) as { groups: { rules: { name: string; duration: number }[] }[] };
        return groups.some((group) => group.rules.some(({ name, duration: seconds }) => name === alert && `${seconds}s` === duration));
      };
      if (!(await until(loaded, UP_MS))) throw new Error(`Prometheus did not read its rules again: ${said}`);
    },
    stop,
  };
}
