import { recordEarlyInput } from '@forecourt/shell/engine/earlyInput';

recordEarlyInput(() => false);
