import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.net.URI;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;
import org.slf4j.LoggerFactory;

/**
 * An S3 server with one bucket in memory: S3Proxy, which checks the signature of each request. Arguments: bucket, access
 * key, secret key; for TLS also its URL, a key store, and its password. Without TLS it is on a free port of this machine.
 * Prints {"port":N} when it is ready, and ends when its standard input does: with its parent.
 */
class S3Store {
  public static void main(String[] arguments) throws Exception {
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
    BlobStore store =
        ContextBuilder.newBuilder("transient").build(BlobStoreContext.class).getBlobStore();
    store.createContainerInLocation(null, arguments[0]);
    boolean isTls = arguments.length > 3;
    S3Proxy.Builder builder =
        S3Proxy.builder()
            .blobStore(store)
            .awsAuthentication(AuthenticationType.AWS_V4, arguments[1], arguments[2]);
    if (isTls) {
      builder.secureEndpoint(URI.create(arguments[3])).keyStore(arguments[4], arguments[5]);
    } else {
      builder.endpoint(URI.create("http://127.0.0.1:0"));
    }
    S3Proxy proxy = builder.build();
    proxy.start();
    System.out.println("{\"port\":" + (isTls ? proxy.getSecurePort() : proxy.getPort()) + "}");
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
