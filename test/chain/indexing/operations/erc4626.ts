import { openVaultActivity } from '../erc4626-activity.ts';
import type { OpenOperations } from '../operations.ts';

export const openOperations: OpenOperations = async (devnet, activity, random) => {
  const { deposit, redeem, donate, setCaps } = await openVaultActivity(devnet, activity, random);
  const amount = (): bigint => 10n ** BigInt(18 + Math.floor(random() * 9));
  return {
    usual: [deposit, deposit, redeem, donate],
    rare: [
      () => setCaps(amount(), amount()),
      async () => {
        await setCaps(amount(), amount(), true);
        await donate();
        await setCaps(amount(), amount());
      },
    ],
  };
};
