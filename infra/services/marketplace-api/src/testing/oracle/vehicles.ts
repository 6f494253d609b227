import type { StockListing } from '../../domain/stock.ts';
import type { VehicleSelection } from '../../search/listingIndex/vehicleTree.ts';

/** A make, model and trim that listings have or had. */
export interface Vehicle {
  /** Position among the vehicles. */
  readonly at: number;
  readonly make: string;
  readonly model: string;
  readonly trim?: string | undefined;
  /** The three names. */
  readonly text: string;
  /** 'FORD', 'FORD/F150' and 'FORD/F150/F150|XLT'. */
  readonly keys: readonly string[];
}

export class Vehicles {
  private readonly models = new Set<string>();
  private readonly trims = new Set<string>();
  private readonly vehicles = new Map<string, Vehicle>();

  know({ make, model, trim }: StockListing): Vehicle {
    const key = JSON.stringify([make, model, trim]);
    let vehicle = this.vehicles.get(key);
    if (!vehicle) {
      const ofModel = `${make.code}/${model.code}`;
      const keys = [make.code, ofModel];
      this.models.add(ofModel);
      if (trim) {
        keys.push(`${ofModel}/${trim.code}`);
        this.trims.add(`${ofModel}/${trim.code}`);
        this.trims.add(`${model.code}/${trim.code}`);
      }
      const text = `${make.name} ${model.name} ${trim?.name ?? ''}`;
      const at = this.vehicles.size;
      vehicle = { at, make: make.code, model: model.code, trim: trim?.code, text, keys };
      this.vehicles.set(key, vehicle);
    }
    return vehicle;
  }

  /** Whether a selection admits each of them. */
  admitted(selection: VehicleSelection): boolean[] {
    return [...this.vehicles.values()].map((vehicle) => this.admits(selection, vehicle));
  }

  /** Make groups, reimplemented from the doc comment of VehicleTree. */
  private admits({ makes, models, trims }: VehicleSelection, { make, model, trim }: Vehicle): boolean {
    if (makes.length > 0 && !makes.includes(make)) return false;
    if (models.length > 0) {
      const homeless = models.filter((code) => !makes.some((chosen) => this.hasModel(chosen, code)));
      const ownCodes = models.filter((code) => this.hasModel(make, code));
      const narrowed =
        makes.length === 0 || ownCodes.length > 0 || (makes[0] === make && homeless.length > 0);
      if (narrowed && !ownCodes.includes(model)) return false;
    }
    if (trims.length > 0) {
      const homeless = trims.filter((code) => !models.some((chosen) => this.hasTrim(chosen, code)));
      const isNamed = models.length === 0 || models.includes(model);
      // Two makes may use one model code: each has its own trims.
      const ownCodes = trims.filter((code) => isNamed && this.hasTrim(model, code, make));
      const narrowed =
        models.length === 0 ||
        ownCodes.length > 0 ||
        homeless.some((code) => {
          const parentModel = code.split('|')[0]!;
          return model === (models.includes(parentModel) ? parentModel : models[0]);
        });
      if (narrowed && !ownCodes.includes(trim ?? '')) return false;
    }
    return true;
  }

  private hasModel(make: string, model: string): boolean {
    return this.models.has(`${make}/${model}`);
  }

  private hasTrim(model: string, trim: string, make?: string): boolean {
    return this.trims.has(make === undefined ? `${model}/${trim}` : `${make}/${model}/${trim}`);
  }
}
