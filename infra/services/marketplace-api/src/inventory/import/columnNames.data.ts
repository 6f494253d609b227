import type { FeedField } from './mapping.ts';

/**
 * Names of columns in the exports of dealers' systems and marketplaces, without punctuation and in lower case, the surest
 * first. Those of `presets.data.ts` come from their documentation, the others from public feeds.
 */
export const COLUMN_NAMES: Readonly<Partial<Record<FeedField, string>>> = {
  vin: 'vin vinnumber vehicleidentificationnumber vinno vehiclevin',
  stockNumber:
    'stocknumber stock stockno stocknum stockid dealerstocknumber stk stknumber storecode vehicleid sku',
  status:
    'status vehiclestatus inventorystatus availability availabilitystatus saleable stockstatus salestatus listingstatus',
  vehicleType: 'vehicletype vehiclecategory unittype category vehicleclass',
  listingType:
    'condition newused type listingtype stocktype stateofvehicle inventorytype newusedcertified vehiclecondition usednew isnew',
  year: 'year modelyear vehicleyear my yr autoyear vehiclemodelyear',
  make: 'make brand manufacturer makename automake vehiclemake',
  model: 'model modelname automodel vehiclemodel',
  trim: 'trim trimlevel series style trimname subtrim vehicletrim styledescription',
  bodyStyle: 'bodystyle body bodytype bodycode vehiclebodystyle bodystylename',
  fuel: 'fuel fueltype enginefuel enginefueltype fuelcategory',
  drive: 'drivetrain drive drivetype drivetraintype drivetraindesc drivewheels drivelinetype',
  transmission: 'transmission trans transmissiontype transmissiondescription transmissionname gearbox',
  engine: 'engine enginedescription enginename enginetype motor',
  cylinders: 'cylinders enginecylinders cylinder cyl numberofcylinders enginecylindercount',
  doors: 'doors doorcount numberofdoors numdoors doorsnumber',
  seats: 'seats seating passengercapacity seatingcapacity seatcount numberofseats',
  extColor:
    'exteriorcolor extcolor color colour exteriorcolour exteriorbasecolor extcolorgeneric paintcolor colorext exteriorcolorname',
  intColor: 'interiorcolor intcolor interiorcolour interior interiorcolorname colorint',
  mileage: 'mileage miles odometer odometerreading kilometers km mileagevalue odometervalue kms',
  price:
    'price sellingprice saleprice internetprice askingprice listprice finalprice advertisedprice currentprice retailprice vehicleprice specialprice bookprice',
  msrp: 'msrp stickerprice retail manufacturerssuggestedretailprice vehiclemsrp retailvalue',
  features:
    'features options equipment optiondescription installedoptions vehicleoptions factoryoptions optiontext',
  photoUrls:
    'photourls photos photourl images imageurls imagelist imageurl imagelink pictures picture pictureurls photo image picurls mainimage photolist additionalimagelink vehiclephotos imageurllist',
  listedOn:
    'dateinstock listedon instockdate datelisted inventorydate firstseen dateadded indate listingdate createddate postdate postingdate stockdate lotdate dateposted',
  sellerName:
    'dealername dealer sellername seller dealershipname dealership store companyname storename franchisename dealercompany',
  sellerType: 'sellertype isdealer dealertype',
  sellerPhone: 'dealerphone phone sellerphone telephone dealercommunicationphone contactphone phonenumber',
  sellerWebsite: 'dealerwebsite website dealerurl dealerwebsiteurl',
  sellerAddress: 'dealeraddress address street streetaddress addr1 address1 dealerstreet dealerstreetaddress',
  city: 'city dealercity sellercity addresscity locationcity',
  state: 'state dealerstate region province addressregion stateprovince dealerregion sellerstate',
  zip: 'zip zipcode postalcode dealerzip dealerzipcode scrapezip addresspostalcode dealerpostalcode postcode sellerzip',
};
