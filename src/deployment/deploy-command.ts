import { parseArgs } from 'node:util';

/** What the command line asks for. */
export type DeployCommand = {
  readonly chain: string;
  /** The service's configuration file; null: the devnet needs none. */
  readonly config: string | null;
  readonly dryRun: boolean;
};

export type ParsedDeployCommand =
  | { readonly ok: true; readonly command: DeployCommand }
  | { readonly ok: false; readonly kind: 'usage' | 'help'; readonly message: string };

export const USAGE = `Usage: npm run deploy -- --chain NAME [--config FILE] [--dry-run]

Deploys the allowance holder and the Router of one chain to the addresses at which the service looks for them, and verifies their code. What stands there already is left alone, so it is safe to
run again.

  --chain NAME     name, alias or number of a chain
  --config FILE    the configuration of the service: nodes, fee collector and venues are read there. The devnet needs none
  --dry-run        says what stands where and sends nothing
  --help           this text

The environment variable DEPLOYER_KEY holds the private key of the account that pays: 0x and 64 hexadecimal digits. Any account will do, the addresses do not depend on it, and it has no rights
afterwards.`;

/** Reads a command line. */
export function parseDeployCommand(argv: readonly string[]): ParsedDeployCommand {
  const usage = (message: string): ParsedDeployCommand => ({ ok: false, kind: 'usage', message });
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        chain: { type: 'string', multiple: true },
        config: { type: 'string', multiple: true },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
      strict: true,
    });
    if (values.help === true) return { ok: false, kind: 'help', message: USAGE };
    const { chain = [], config = [] } = values;
    if (chain.length > 1 || config.length > 1) return usage(`${chain.length > 1 ? '--chain' : '--config'} is given twice`);
    if (chain[0] === undefined || chain[0] === '') return usage('--chain NAME is missing: which chain? --help tells more');
    return { ok: true, command: { chain: chain[0], config: config[0] ?? null, dryRun: values['dry-run'] } };
  } catch (error) {
    const parsing = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (parsing) return usage(`${error.message.split(/[.\n]/)[0]}; --help tells more`);
    throw error;
  }
}
